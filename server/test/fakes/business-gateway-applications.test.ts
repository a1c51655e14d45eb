import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { theStandIn } from './business-gateway.fixture.ts'
import type { Json } from './business-gateway-messages.fixture.ts'

const { gateway, client, lodger, deed, days, prynne } = await theStandIn()

describe('the stand-in gateway: applications and what happens to them', () => {
  it('gives the same answer to the same key, and lodges once', async () => {
    const body = prynne()
    const before = gateway.applications().length
    const [first, second] = [await lodger.submit(body, 'v1', 'twice'), await lodger.submit(body, 'v1', 'twice')]
    assert.equal(first.json.data.application_request_id, second.json.data.application_request_id)
    assert.equal(gateway.applications().length, before + 1)
    assert.equal((await lodger.submit(prynne(), 'v1', 'twice')).status, 409)
    assert.ok((await lodger.submit(prynne(), 'v2')).json.application_request_id)
  })

  it('accepts after a day, completes on the next business day after five, and has its documents', async () => {
    const id = await lodger.lodged(prynne())
    assert.equal((await lodger.informationOf(id)).status, 'VALIDATING')
    days(1)
    const accepted = await lodger.informationOf(id)
    assert.equal(accepted.status, 'ACCEPTED_PRIORITY_PROTECTED')
    assert.equal(accepted.priority_timestamp, '2026-06-02T09:00:00.000Z')
    assert.deepEqual(await lodger.informationOf(accepted.hmlr_reference), accepted)
    days(6)
    const done = await lodger.informationOf(id)
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

  describe('what a title number makes happen', () => {
    it('ST500679: early completion', async () => {
      const id = await lodger.lodged(prynne('ST500679'))
      days(7)
      const { json } = await client.rest(`/v1/notifications?subject=${id}&notification_type=application.completed`)
      assert.equal(json.data[0].payload.data.was_subject_to_early_completion, true)
      days(14)
      assert.deepEqual(
        await lodger.typesOf(id),
        ['accepted-priority-protected', 'completed'],
        'the discharge is not announced',
      )
    })

    it('RQ100001: a letter, an answer, and completion', async () => {
      const id = await lodger.lodged(prynne('RQ100001', 'LW-rq', [['Grace', 'Okafor']]))
      days(3)
      assert.deepEqual(await lodger.typesOf(id), ['accepted-priority-protected', 'correspondence-despatched'])
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
      assert.deepEqual((await lodger.typesOf(id)).slice(2), [
        'attachment-success',
        'attachment-failed',
        'message-success',
      ])
      days(5)
      assert.equal((await lodger.informationOf(id)).status, 'COMPLETED')
      assert.equal((await attach('messages', { message_text: 'Late.' })).json.errors[0].type, 'OC036')
    })

    it('CX100001: cancellation, but not of the next application', async () => {
      const body = prynne('CX100001', 'LW-cx', [['Peter', 'Lang']])
      const id = await lodger.lodged(body)
      days(3)
      assert.equal((await lodger.informationOf(id)).status, 'CANCELLED')
      const next = await lodger.lodged(body)
      days(9)
      assert.equal((await lodger.informationOf(next)).status, 'COMPLETED')
    })

    it('VF100001: a deed that is unknown, until another is named', async () => {
      const body = prynne('VF100001', 'LW-vf', [['Joan', 'Hill']])
      const id = await lodger.lodged(body)
      days(1)
      assert.equal((await lodger.informationOf(id)).errors[0].pointer, '/data/transactions/charge/details/mdref')
      body.data.transactions.charge.details.mdref = 'MD999Z'
      const next = await lodger.lodged(body)
      days(1)
      assert.equal((await lodger.informationOf(next)).status, 'ACCEPTED_PRIORITY_PROTECTED')
    })

    it('SE100001: a system error, twice', async () => {
      const body = prynne('SE100001', 'LW-se', [['Omar', 'Aziz']])
      const ids = [await lodger.lodged(body), await lodger.lodged(body), await lodger.lodged(body)]
      days(1)
      const statuses = await Promise.all(ids.map(async (id) => (await lodger.informationOf(id)).status))
      assert.deepEqual(statuses, ['SYSTEM_ERROR', 'SYSTEM_ERROR', 'ACCEPTED_PRIORITY_PROTECTED'])
      assert.deepEqual(await lodger.typesOf(ids[0] ?? ''), ['system-error'])
    })

    it('SL100001, and a day list that is closed: priority comes later', async () => {
      const slow = await lodger.lodged(prynne('SL100001', 'LW-sl', [['Ivy', 'Marsh']]))
      gateway.control.advance(3_600_000)
      assert.equal((await lodger.informationOf(slow)).status, 'ACCEPTED_AWAITING_PRIORITY')
      const id = await lodger.lodged(prynne())
      gateway.control.closeDayList()
      days(2)
      assert.equal((await lodger.informationOf(id)).status, 'ACCEPTED_AWAITING_PRIORITY')
      assert.deepEqual(await lodger.typesOf(id), ['accepted-priority-pending'])
      gateway.control.openDayList()
      days(1)
      assert.deepEqual(await lodger.typesOf(id), ['accepted-priority-pending', 'accepted-priority-protected'])
    })
  })

  describe('notifications', () => {
    it('repeats and reorders them, and lists them until they are acknowledged', async () => {
      gateway.control.notifications = { repeatEvery: 1, isReordered: true }
      const id = await lodger.lodged(prynne())
      days(7)
      assert.deepEqual(await lodger.typesOf(id), [
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
      assert.equal((await lodger.typesOf(id)).length, 1)
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
    const id = await lodger.lodged(prynne())
    assert.deepEqual((await lodger.informationOf(id)).correspondence, [])
  })
})
