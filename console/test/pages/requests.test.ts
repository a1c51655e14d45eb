import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { lodgeway } from '../../../cli/test/harness.ts'
import { eventually } from '../../../server/test/fixtures/eventually.ts'
import { aWorkspace, FIRM, UNKNOWN_ID, WORKSPACES } from '../../../server/test/fixtures/workspaces.ts'
import { guideOf } from '../../src/pages/requests-parts.ts'
import { REFUSAL_WORDS } from '../../src/words.ts'
import { fieldOf, type Shown, testConsole } from '../console.fixture.ts'

const run = promisify(execFile)
const console = await testConsole()
const { get, post, service, failing } = console
const REQUESTS = '/console/requests'

/** The page of the newest call that the list shows first. */
async function newest(query = ''): Promise<{ path: string; shown: Shown }> {
  const [, path = ''] =
    /<tr id="request-[^"]+"><td><a href="([^"]+)"/.exec((await get(REQUESTS + query, 'Dev')).text) ?? []
  return { path, shown: await get(path, 'Dev') }
}

/** What the first copied line of the command line does, as a shell reads it. */
async function pasted({ text }: Shown, method: string) {
  const copied = new RegExp(`aria-label="CLI of ${method} [^"]*">CLI</summary><pre tabindex="0"><code>([^<]*)<`).exec(
    text,
  )
  const line = (copied?.[1] ?? assert.fail(text))
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
  const { stdout } = await run('sh', ['-c', `lodgeway() { printf '%s\\0' "$@"; }\n${line}`])
  return lodgeway(stdout.split('\0').slice(0, -1), { env: { LODGEWAY_URL: service.url, XDG_CONFIG_HOME: '/nowhere' } })
}

describe('the pages of requests', () => {
  it('wait for the first request, and say how to send it', async () => {
    const { words, text } = await get(REQUESTS, 'Dev')
    assert.match(words, /Waiting for your first request… .* curl -H .*workspaces\?limit=1/)
    assert.match(text, /data-live="\/console\/live\?topic=requests"/)
    assert.match((await get(`${REQUESTS}/errors`, 'Dev')).words, /No request in the log was refused/)
  })

  it('show a call as soon as it was made', async () => {
    const stream = await console.answer(
      new Request(`${service.url}/console/live?topic=requests`, { headers: { cookie: 'person=Dev' } }),
    )
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, 'retry: 2000\n\n')
    const { workspaceId } = await aWorkspace(service)
    await service.call('GET', `${WORKSPACES}/${workspaceId}`, FIRM)
    let seen = ''
    while (!seen.includes('changed')) seen += (await reader?.read())?.value ?? assert.fail()
    await reader?.cancel()
    assert.match((await get(REQUESTS, 'Dev')).words, /GET getWorkspace 200/)
  })

  it('say why a call was refused, and count it', async () => {
    const { workspaceId } = await aWorkspace(service, { titleNumber: 'ST500678' })
    const path = `${WORKSPACES}/${workspaceId}/titles`
    await service.call('POST', path, { ...FIRM, json: { titleNumber: '<b>"' } })
    await service.call('POST', path, { ...FIRM, json: { titleNumber: 'ST500679' } })
    await eventually(async () => /409/.test((await get(`${REQUESTS}?status=4xx`, 'Dev')).words))
    const { shown } = await newest('?operation=addTitle&status=4xx')
    assert.match(shown.words, /^.*POST addTitle 409/)
    assert.match(
      shown.words,
      /Why it failed titleNumber The workspace has the title ST500678 already\. The state does not allow it/,
    )
    assert.match(shown.text, /href="\/docs#operation-addTitle"/)
    assert.match(shown.text, /href="\/docs\/guide\/errors#409"/)
    const guide = await (await fetch(`${service.url}/docs/guide/errors`)).text()
    for (const status of Object.keys(REFUSAL_WORDS)) {
      const [, id] = guideOf(Number(status)).split('#')
      assert.ok(id === undefined || guide.includes(`id="${id}"`), status)
    }
    assert.match(shown.words, /curl -X POST/)
    assert.match(shown.words, /await lodgeway\.addTitle\(/)
    const again = await pasted(shown, 'POST')
    assert.deepEqual([again.code, /titleNumber: .*ST500678 already/.test(again.errors)], [1, true], again.errors)
    assert.equal(shown.text.match(/<h1/g)?.length, 1)
    const errors = await get(`${REQUESTS}/errors`, 'Dev')
    assert.match(errors.words, /POST addTitle what it expects 400 titleNumber 1/)
    assert.match((await get(`${REQUESTS}?client_id=nobody`, 'Dev')).words, /No request fits/)
    assert.match((await get(`${REQUESTS}?workspace_id=nothing`, 'Dev')).words, /workspace_id must be a UUID/)
    for (const page of [shown, errors, await get(REQUESTS, 'Dev')]) assert.doesNotMatch(page.text, /<b>/)
  })

  it('send a call again after a change, and show both answers', async () => {
    const { path, shown } = await newest('?operation=addTitle&status=4xx')
    const form = { path: fieldOf(shown, 'path'), body: '{"titleNumber":"?"}' }
    const sent = await post(path, { ...form, key: fieldOf(shown, 'key') }, 'Dev')
    assert.match(sent.words, /Answer then 409 .*Answer now 400 .*titleNumber/)
    assert.match(sent.text, /\{&quot;titleNumber&quot;:&quot;\?&quot;\}<\/textarea>/)
    for (const elsewhere of [
      '/sandbox/v1/reset',
      '/partner/api/../../sandbox/v1/reset',
      'http://other.example/partner/api/',
    ]) {
      const refused = await post(path, { ...form, path: elsewhere }, 'Dev')
      assert.deepEqual([refused.status, /Nothing was sent/.test(refused.words)], [400, true], elsewhere)
    }
  })

  it('are for developers of the firm alone', async () => {
    const { path, shown } = await newest()
    assert.equal(shown.status, 200)
    for (const page of [REQUESTS, `${REQUESTS}/errors`, path]) assert.equal((await get(page, 'Sam')).status, 403)
    const live = new Request(`${service.url}/console/live?topic=requests`, { headers: { cookie: 'person=Sam' } })
    assert.equal((await console.answer(live)).status, 404)
    assert.equal((await get(`${REQUESTS}/${UNKNOWN_ID}`, 'Dev')).status, 404)
    failing(/requests/, 500)
    assert.equal((await get(REQUESTS, 'Dev')).status, 500)
    failing(/requests/, 0)
  })

  it('have lines for the command line that do what the page did', async () => {
    const page = `/console/matters?q=${encodeURIComponent("O'Hara & Sons")}`
    const { code, output, errors } = await pasted(await get(page), 'GET')
    assert.equal(code, 0, errors)
    assert.deepEqual(JSON.parse(output), { records: [] })
  })
})
