// Long because every REST service and every course of a title is shown on one gateway.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { pdfOf } from './business-gateway/files.ts'
import { type Gateway, startGateway } from './business-gateway/gateway.ts'
import { type Client, clientOf, type Json, type Reply, remortgage } from './business-gateway.fixture.ts'

const DAY_MS = 86_400_000
const START = new Date('2026-06-01T09:00:00Z')
const PRYNNES: [string, string][] = [
  ['William', 'Prynne'],
  ['Tracey', 'Prynne'],
]

describe('the stand-in gateway: documents, applications and what happens to them', () => {
  let gateway: Gateway
  let client: Client
  let deed: string
  let number = 0

  before(async () => {
    gateway = await startGateway({ now: () => START })
    client = clientOf(gateway)
    deed = await client.upload('MRTG_DEED')
  })
  afterEach(() => {
    gateway.control.behave()
    gateway.control.useClock(() => START)
    gateway.control.dialect = 'openapi'
  })
  after(async () => {
    await client.close()
    await gateway.close()
  })

  const submit = (body: Json, version = 'v1', key = `key-${++number}`): Promise<Reply> =>
    client.rest(`/${version}/applications`, { method: 'POST', body, headers: { 'idempotency-key': key } })
  const lodged = async (body: Json): Promise<string> => {
    const { status, json, text } = await submit(body)
    assert.equal(status, 202, text)
    return json.data.application_request_id
  }
  const informationOf = async (id: string): Promise<Json> => {
    const { status, json } = await client.rest(`/v1/applications/${id}/information`)
    assert.equal(status, 200)
    return json.data
  }
  const typesOf = async (id: string): Promise<string[]> => {
    const { json } = await client.rest(`/v1/notifications?subject=${id}`)
    return json.data.map((one: Json) => one.notification_type.replace('application.', ''))
  }
  const days = (count: number) => gateway.control.advance(count * DAY_MS)
  const prynne = (title = 'ST500678', reference = `LW-${++number}`) => remortgage(deed, title, reference, PRYNNES)

  describe('documents', () => {
    const announce = (data: Json) => client.rest('/v1/documents/url', { method: 'POST', body: { data } })
    const good = { document_type: 'TR1', file_length: 4, file_sha256: 'iNQmb9TmM40TuEX88olXnSCciXgjuSF9o+Fhk28DFYk=' }

    for (const [what, change, detail] of [
      ['an unknown type', { document_type: 'INVALID' }, "Invalid document_type: 'INVALID'"],
      ['an empty file', { file_length: 0 }, /must be >= 1/],
      ['a file above 40 MiB', { file_length: 41_943_041 }, /must be <= 41943040/],
      ['a digest that is not 44 characters', { file_sha256: 'ab' }, /44/],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { status, json } = await announce({ ...good, ...change })
        assert.equal(status, 400)
        if (typeof detail === 'string') assert.equal(json.errors[0].detail, detail)
        else assert.match(json.errors[0].detail, detail)
      })
    }

    it('takes the very file that was announced, once, within ten minutes', async () => {
      const put = async (change: {
        body?: string
        sha256?: string
        wait?: number
        headers?: Record<string, string>
      }) => {
        const { json } = await announce(good)
        gateway.control.advance(change.wait ?? 0)
        const headers = { 'x-amz-checksum-sha256': change.sha256 ?? good.file_sha256, ...change.headers }
        const send = () =>
          client.storage(json.data.upload_url, { method: 'PUT', body: Buffer.from(change.body ?? 'abcd'), headers })
        return [await send(), await send()].map(({ status }) => status)
      }
      assert.deepEqual(await put({}), [200, 403])
      assert.deepEqual(await put({ body: 'abcx' }), [400, 400])
      assert.deepEqual(await put({ body: 'abc' }), [403, 403])
      assert.deepEqual(await put({ sha256: 'x' }), [403, 403])
      assert.deepEqual(await put({ headers: { authorization: 'Basic eDp5' } }), [400, 400], 'no credentials here')
      assert.deepEqual(await put({ wait: 600_001 }), [403, 403])
    })
  })

  describe('what is refused at once', () => {
    const cases: [string, (data: Json) => void, string][] = [
      ['a missing type', (data) => delete data.type, '/data/type'],
      [
        'text for a boolean',
        (data) => (data.titles.t1.disclosable_overriding_interests = 'false'),
        '/data/titles/t1/disclosable_overriding_interests',
      ],
      [
        'a date in the future',
        (data) => (data.transactions.charge.details.date = '3000-01-01'),
        '/data/transactions/charge/details/date',
      ],
      [
        'pence in a value',
        (data) => (data.transactions.charge.details.value = 1.5),
        '/data/transactions/charge/details/value',
      ],
      ['a field that does not exist', (data) => (data.parties.b1.nickname = 'Bill'), '/data/parties/b1/nickname'],
      ['a reference to nobody', (data) => data.applicants.push('nobody'), '/data/applicants'],
      [
        'details of the wrong kind',
        (data) => delete data.transactions.discharge.details,
        '/data/transactions/discharge/details',
      ],
      ['one priority twice', (data) => (data.transactions.charge.priority = 1), '/data/transactions'],
      ['a long customer reference', (data) => (data.customer_reference = 'x'.repeat(26)), '/data/customer_reference'],
    ]
    for (const version of ['v1', 'v2']) {
      for (const [what, change, pointer] of cases) {
        it(`${what} (${version})`, async () => {
          const body = prynne()
          change(body.data)
          const { status, json } = await submit(body, version)
          assert.equal(status, 400)
          assert.deepEqual([...new Set(json.errors.map((one: Json) => one.pointer))], [pointer])
        })
      }
    }

    it('a request without an Idempotency-Key, or that is not JSON', async () => {
      assert.equal((await client.rest('/v1/applications', { method: 'POST', body: prynne() })).status, 400)
      assert.equal((await submit('text')).status, 400)
    })
  })

  it('gives the same answer to the same key, and lodges once', async () => {
    const body = prynne()
    const before = gateway.applications().length
    const [first, second] = [await submit(body, 'v1', 'twice'), await submit(body, 'v1', 'twice')]
    assert.equal(first.json.data.application_request_id, second.json.data.application_request_id)
    assert.equal(gateway.applications().length, before + 1)
    assert.equal((await submit(prynne(), 'v1', 'twice')).status, 409)
    assert.ok((await submit(prynne(), 'v2')).json.application_request_id)
  })

  it('accepts after a day, completes on the next business day after five, and has its documents', async () => {
    const id = await lodged(prynne())
    assert.equal((await informationOf(id)).status, 'VALIDATING')
    days(1)
    const accepted = await informationOf(id)
    assert.equal(accepted.status, 'ACCEPTED_PRIORITY_PROTECTED')
    assert.equal(accepted.priority_timestamp, '2026-06-02T09:00:00.000Z')
    assert.deepEqual(await informationOf(accepted.hmlr_reference), accepted)
    days(6)
    const done = await informationOf(id)
    assert.equal(done.status, 'COMPLETED')
    const [record] = done.correspondences
    assert.deepEqual(
      record.documents.map((one: Json) => one.type.code),
      ['LTR', 'RCS', 'REG'],
    )
    const found = await client.rest(`/v1/documents/${record.documents[2].download_id}`)
    assert.equal(found.status, 302)
    assert.match((await client.storage(String(found.headers['location']))).text, /^%PDF-1\.4/)
    assert.equal((await client.rest('/v1/documents/unknown')).status, 404)
    const other = { account: 1 }
    assert.equal((await client.rest(`/v1/documents/${record.documents[2].download_id}`, other)).status, 404)
    assert.equal((await client.rest(`/v1/applications/${id}/information`, other)).status, 404)
  })

  const wrong: [string, string, (data: Json) => void][] = [
    ['a document that was never uploaded', 'OC018', (data) => (data.documents.deed.document_id = 'x')],
    ['a document of another type', 'document-type-valid', (data) => (data.documents.deed.type = 'CH1')],
    ['no deed', 'all-mandatory-documents-provided', (data) => (data.transactions.charge.documents = [])],
    [
      'a proprietor who is no borrower',
      'all-proprietors-matched-to-borrowers',
      (data) => data.transactions.charge.party_roles.shift(),
    ],
    ['no lender', 'charge-has-valid-lender', (data) => data.transactions.charge.party_roles.pop()],
    ['a fee for a discharge', 'discharge-fee-zero', (data) => (data.transactions.discharge.fee_in_pence = 1)],
    ['too small a fee for a charge', 'CHARGE-FEE', (data) => (data.transactions.charge.fee_in_pence = 1999)],
    ['a deed that is not on record', 'mdref-on-record', (data) => (data.transactions.charge.details.mdref = 'XX1')],
    ['an unknown title', 'unknown-title-number', (data) => (data.titles.t1.title_number = 'NF100001')],
    ['a closed title', 'title-must-be-valid', (data) => (data.titles.t1.title_number = 'DT501578')],
    ['a part without a description', 'title-scope-is-valid', (data) => (data.titles.t1.scope_details.scope = 'PART')],
    [
      'overriding interests without a form',
      'di-form-required',
      (data) => (data.titles.t1.disclosable_overriding_interests = true),
    ],
    [
      'the warning not understood',
      'submission-warning-understood',
      (data) => (data.submission_warning_understood = false),
    ],
    [
      'an unrepresented party without evidence',
      'identity-evidence-has-type',
      (data) => (data.parties.b1.representation_type = 'NOT_REPRESENTED'),
    ],
    [
      'no address where one is promised',
      'address-for-service-option-is-valid',
      (data) => (data.parties.b1.addresses = []),
    ],
    ['a transaction of another kind of application', 'transaction-type-valid', (data) => (data.type = 'REMOVE_JP1')],
  ]
  for (const [what, type, change] of wrong) {
    it(`fails the validation of ${what}`, async () => {
      const body = prynne()
      change(body.data)
      const id = await lodged(body)
      days(1)
      const { status, errors } = await informationOf(id)
      assert.equal(status, 'VALIDATION_FAILED')
      assert.ok(
        errors.some((one: Json) => one.type === type),
        JSON.stringify(errors),
      )
      assert.deepEqual(await typesOf(id), ['validation-failed'])
    })
  }

  it('refuses a file that is no document, and one that it no longer has', async () => {
    const text = await client.upload('MRTG_DEED', Buffer.from('plain text'))
    const encrypted = await client.upload('MRTG_DEED', Buffer.concat([pdfOf(['x']), Buffer.from('/Encrypt 9 0 R')]))
    for (const file of [text, encrypted]) {
      const id = await lodged(remortgage(file, 'ST500678', `LW-${++number}`, PRYNNES))
      days(1)
      assert.deepEqual(
        (await informationOf(id)).errors.map((one: Json) => one.type),
        ['document-valid'],
      )
    }
    days(180)
    const id = await lodged(prynne())
    days(1)
    assert.deepEqual(
      (await informationOf(id)).errors.map((one: Json) => one.type),
      ['OC018'],
    )
  })

  describe('what a title number makes happen', () => {
    it('ST500679: early completion', async () => {
      const id = await lodged(prynne('ST500679'))
      days(7)
      const { json } = await client.rest(`/v1/notifications?subject=${id}&notification_type=application.completed`)
      assert.equal(json.data[0].payload.data.was_subject_to_early_completion, true)
      days(14)
      assert.deepEqual(
        await typesOf(id),
        ['accepted-priority-protected', 'completed'],
        'the discharge is not announced',
      )
    })

    it('RQ100001: a letter, an answer, and completion', async () => {
      const id = await lodged(remortgage(deed, 'RQ100001', 'LW-rq', [['Grace', 'Okafor']]))
      days(3)
      assert.deepEqual(await typesOf(id), ['accepted-priority-protected', 'correspondence-despatched'])
      const attach = (kind: string, data: Json, to = id, account = 0) =>
        client.rest(`/v1/applications/${to}/${kind}`, { method: 'POST', body: { data }, account })
      const document = { document_id: deed, certification_statement_type: 'CERTIFIED' }
      assert.equal((await attach('attachments', { ...document, certification_statement_type: 'YES' })).status, 400)
      assert.equal((await attach('messages', { message_text: 'x'.repeat(4035) })).status, 400)
      assert.equal((await attach('attachments', document, 'unknown')).json.errors[0].type, 'OC200')
      assert.equal((await attach('attachments', document, id, 1)).status, 400)
      assert.equal((await attach('attachments', document)).status, 202)
      assert.equal((await attach('attachments', { ...document, document_id: 'x' })).status, 202)
      assert.equal((await attach('messages', { message_text: 'Here it is.' })).status, 202)
      days(1)
      assert.deepEqual((await typesOf(id)).slice(2), ['attachment-success', 'attachment-failed', 'message-success'])
      days(5)
      assert.equal((await informationOf(id)).status, 'COMPLETED')
      assert.equal((await attach('messages', { message_text: 'Late.' })).json.errors[0].type, 'OC036')
    })

    it('CX100001: cancellation, but not of the next application', async () => {
      const body = remortgage(deed, 'CX100001', 'LW-cx', [['Peter', 'Lang']])
      const id = await lodged(body)
      days(3)
      assert.equal((await informationOf(id)).status, 'CANCELLED')
      const next = await lodged(body)
      days(9)
      assert.equal((await informationOf(next)).status, 'COMPLETED')
    })

    it('VF100001: a deed that is unknown, until another is named', async () => {
      const body = remortgage(deed, 'VF100001', 'LW-vf', [['Joan', 'Hill']])
      const id = await lodged(body)
      days(1)
      assert.equal((await informationOf(id)).errors[0].pointer, '/data/transactions/charge/details/mdref')
      body.data.transactions.charge.details.mdref = 'MD999Z'
      const next = await lodged(body)
      days(1)
      assert.equal((await informationOf(next)).status, 'ACCEPTED_PRIORITY_PROTECTED')
    })

    it('SE100001: a system error, twice', async () => {
      const body = remortgage(deed, 'SE100001', 'LW-se', [['Omar', 'Aziz']])
      const ids = [await lodged(body), await lodged(body), await lodged(body)]
      days(1)
      const statuses = await Promise.all(ids.map(async (id) => (await informationOf(id)).status))
      assert.deepEqual(statuses, ['SYSTEM_ERROR', 'SYSTEM_ERROR', 'ACCEPTED_PRIORITY_PROTECTED'])
      assert.deepEqual(await typesOf(ids[0] ?? ''), ['system-error'])
    })

    it('SL100001, and a day list that is closed: priority comes later', async () => {
      const slow = await lodged(remortgage(deed, 'SL100001', 'LW-sl', [['Ivy', 'Marsh']]))
      gateway.control.advance(3_600_000)
      assert.equal((await informationOf(slow)).status, 'ACCEPTED_AWAITING_PRIORITY')
      const id = await lodged(prynne())
      gateway.control.closeDayList()
      days(2)
      assert.equal((await informationOf(id)).status, 'ACCEPTED_AWAITING_PRIORITY')
      assert.deepEqual(await typesOf(id), ['accepted-priority-pending'])
      gateway.control.openDayList()
      days(1)
      assert.deepEqual(await typesOf(id), ['accepted-priority-pending', 'accepted-priority-protected'])
    })
  })

  describe('notifications', () => {
    it('repeats and reorders them, and lists them until they are acknowledged', async () => {
      gateway.control.notifications = { repeatEvery: 1, isReordered: true }
      const id = await lodged(prynne())
      days(7)
      assert.deepEqual(await typesOf(id), [
        'completed',
        'completed',
        'accepted-priority-protected',
        'accepted-priority-protected',
      ])
      const { json } = await client.rest(`/v1/notifications?subject=${id}&limit=3`)
      const ids: string[] = json.data.map((one: Json) => one.notification_id)
      assert.equal(new Set(ids).size, 3)
      const stranger = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
      const body = { data: [...ids, stranger] }
      const acknowledge = { method: 'POST', body }
      const foreign = await client.rest('/v1/notifications/acknowledge', { ...acknowledge, account: 1 })
      assert.deepEqual(foreign.json.data.acknowledged, [], 'those of another account are not found')
      const done = await client.rest('/v1/notifications/acknowledge', acknowledge)
      assert.deepEqual(done.json.data, { acknowledged: ids, not_found: [stranger] })
      assert.equal((await typesOf(id)).length, 1)
      const { json: all } = await client.rest(`/v1/notifications?subject=${id}&status=ACKNOWLEDGED`)
      assert.equal(all.data.length, 3)
    })

    for (const query of [
      'status=OLD',
      'created_after=yesterday',
      'created_after=2020-01-01T00:00:00&created_before=2015-01-01T00:00:00',
      'limit=0',
    ]) {
      it(`refuses ${query}`, async () => {
        assert.equal((await client.rest(`/v1/notifications?${query}`)).status, 400)
      })
    }
    it('refuses to acknowledge nothing, or what is no id', async () => {
      for (const data of [[], ['x'], undefined]) {
        const body = { data }
        assert.equal((await client.rest('/v1/notifications/acknowledge', { method: 'POST', body })).status, 400)
      }
    })
  })

  it('speaks the other dialect', async () => {
    gateway.control.dialect = 'guide'
    assert.equal((await client.rest('/v1/nothing')).json.status, '404')
    const { json } = await client.rest('/v1/documents/url', {
      method: 'POST',
      body: { data: { document_type: 'TR1', file_length: 4, file_sha256: 'x'.repeat(44) } },
    })
    assert.match(json.data.upload_url, /^localhost:/)
    const id = await lodged(prynne())
    assert.deepEqual((await informationOf(id)).correspondence, [])
  })

  it('plays the published scenarios by their keys', async () => {
    const statuses = {
      vng: 'VALIDATING',
      vlf: 'VALIDATION_FAILED',
      sye: 'SYSTEM_ERROR',
      aap: 'ACCEPTED_AWAITING_PRIORITY',
      app: 'ACCEPTED_PRIORITY_PROTECTED',
      can: 'CANCELLED',
      cmp: 'COMPLETED',
    }
    for (const [suffix, status] of Object.entries(statuses)) {
      const data = await informationOf(`abababab-abab-abab-abab-ababababa${suffix}`)
      assert.equal(data.status, status)
      for (const record of data.correspondences ?? []) {
        for (const { download_id: id } of record.documents) {
          assert.equal((await client.rest(`/v1/documents/${id}`)).status, 302)
        }
      }
    }
    assert.equal((await informationOf('BABACAN')).hmlr_reference, 'BABACAN')
    assert.deepEqual(await typesOf('28a01655-544a-48c5-9e40-4ac2-p311cmp'), [
      'accepted-priority-protected',
      'completed',
    ])
    assert.deepEqual(await typesOf('28a01655-544a-48c5-9e40-4ac2-p311app'), ['correspondence-despatched'])
  })

  it('knows the names of registered proprietors, and which titles have none', async () => {
    const named = (title: string) => client.rest(`/v1/titles/${title}/registered-proprietor-names`)
    const { json } = await named('AB1208')
    assert.deepEqual(
      json.data.proprietors.map((one: Json) => [one.sequence, one.proprietor_type, one.proprietor_name]),
      [
        [1, 'PRIVATE_INDIVIDUAL', 'Alan Turner'],
        [2, 'ORGANISATION', 'Turner Holdings Limited'],
      ],
    )
    for (const [title, code] of [
      ['DT501578', 'CLOSED_OR_CANCELLED'],
      ['CC100001', 'CLOSED_AND_CONTINUED'],
      ['GR514443', 'PENDING_NEW_TITLE'],
    ] as const) {
      assert.equal((await named(title)).json.data.title_status_code, code)
    }
    assert.equal((await named('NF100001')).json.errors[0].error_code, 'BG40002')
    assert.equal((await named('ab1')).json.errors[0].error_code, 'BG40001')
  })
})
