import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { theStandIn } from './business-gateway.fixture.ts'
import type { Json } from './business-gateway-messages.fixture.ts'

const { gateway, client, lodger } = await theStandIn()

describe('the stand-in gateway: uploads, names and the published stubs', () => {
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
      const data = await lodger.informationOf(`abababab-abab-abab-abab-ababababa${suffix}`)
      assert.equal(data.status, status)
      for (const record of data.correspondences ?? []) {
        for (const { download_id: id } of record.documents) {
          assert.equal((await client.rest(`/v1/documents/${id}`)).status, 302)
        }
      }
    }
    assert.equal((await lodger.informationOf('BABACAN')).hmlr_reference, 'BABACAN')
    assert.deepEqual(await lodger.typesOf('28a01655-544a-48c5-9e40-4ac2-p311cmp'), [
      'accepted-priority-protected',
      'completed',
    ])
    assert.deepEqual(await lodger.typesOf('28a01655-544a-48c5-9e40-4ac2-p311app'), ['correspondence-despatched'])
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
