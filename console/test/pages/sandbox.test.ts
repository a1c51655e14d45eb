import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lodgeway } from '../../../cli/test/harness.ts'
import { eventually } from '../../../server/test/fixtures/eventually.ts'
import { createConsole } from '../../src/console.ts'
import type { Doors } from '../../src/doors.ts'
import { fieldOf, testConsole } from '../console.fixture.ts'

const console = await testConsole()
const { get, post, service } = console
const PAGE = '/console/sandbox'
const RUN_MS_MAX = 60_000

describe('the sandbox page', () => {
  it('is for everybody in the sandbox, operators and developers, too', async () => {
    for (const name of ['Vic', 'Dev', 'Ola'] as const) {
      const { status, words } = await get(PAGE, name)
      assert.equal(status, 200)
      assert.match(words, /Next: .* Falls due Matter What happens/)
      for (const part of ['Requisition, answered', 'RQ100001', 'Grace Okafor', '00000000'])
        assert.ok(words.includes(part))
    }
  })

  it('does not exist elsewhere, and is not linked there', async () => {
    const doors = {
      signedIn: async () => ({ id: '', person: { name: 'Sam', roles: [] }, decides: 'now' }),
      isUnderMaintenance: () => false,
    }
    const { answer } = await createConsole(doors as unknown as Doors)
    for (const path of [PAGE, `${PAGE}/x`]) {
      const response = await answer(new Request(`http://localhost${path}`), 'id')
      assert.equal(response.status, 404)
      assert.doesNotMatch(await response.text(), /href="\/console\/sandbox"/)
    }
  })

  it('moves the clock once for a form, and says what ran', async () => {
    const form = { do: 'clock', advance: 'P1D', key: fieldOf(await get(PAGE), 'key') }
    const [sent, again] = [await post(PAGE, form), await post(PAGE, form)]
    const address = sent.headers.get('location') ?? ''
    assert.deepEqual([sent.status, again.headers.get('location')], [303, address])
    const { words } = await get(address)
    assert.equal((await get(address)).words.match(/It is \d+ \w+/g)?.[0], words.match(/It is \d+ \w+/g)?.[0])
    assert.match(words, /It is \d+ \w+ \d{4}, \d\d:\d\d ?\. (\d+ jobs? ran|Nothing was due)\./)
    const [, day] = /It is (\d+ \w+) \d{4}/.exec(words) ?? []
    assert.ok(words.includes(`Sandbox · clock ${day}`), 'the time at the top')
    const next = await post(PAGE, { do: 'clock', key: 'next' })
    assert.match((await get(next.headers.get('location') ?? '')).words, /The service itself/)
  })

  it('refuses a date that has passed, at its field', async () => {
    const { status, text, words } = await post(PAGE, { do: 'clock', set: '2020-01-01' })
    assert.equal(status, 400)
    assert.match(text, /<a href="#set">/)
    assert.match(words, /does not go backwards/)
  })

  it('shows the secret of a new subscriber, the same for a form that is sent twice, and no other page does', async () => {
    const form = { do: 'subscriber', kind: 'LENDER', name: 'Westbrook <b>Bank</b>', key: 'once' }
    const [first, second] = [await post(PAGE, form), await post(PAGE, form)]
    const secretOf = ({ words }: { words: string }) => /Secret (\S+)/.exec(words)?.[1] ?? ''
    assert.ok(secretOf(first).length > 20)
    assert.equal(secretOf(second), secretOf(first))
    assert.doesNotMatch(first.text, /<b>Bank/)
    assert.ok(!(await get(PAGE)).text.includes(secretOf(first)))
    const refused = await post(PAGE, { ...form, name: '', key: 'other' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /<a href="#name">/)
  })

  it('shows the faults in force, and ends them', async () => {
    assert.match((await get(PAGE)).words, /Faults None\./)
    const json = { faults: [{ kind: 'TOO_MANY', share: 0.5 }] }
    await service.call('PUT', '/sandbox/v1/faults/sandbox-law-firm', { json })
    assert.match((await get(PAGE)).words, /sandbox-law-firm , until .* TOO_MANY 0 of 0/)
    const ended = await post(PAGE, { do: 'end-faults', client: 'sandbox-law-firm' })
    assert.match(ended.words, /The faults have ended\..* Faults None\./)
  })

  it('switches maintenance on and off, and works meanwhile', async () => {
    assert.match((await post(PAGE, { do: 'maintenance', enabled: 'yes' })).words, /Maintenance is on/)
    assert.equal((await get('/console/matters')).status, 503)
    assert.match((await post(PAGE, { do: 'maintenance', enabled: 'no' })).words, /Maintenance is off/)
  })
})

describe('a scenario', () => {
  it('runs until the chosen step, and its page shows the steps, the matter and the calls', async () => {
    const key = fieldOf(await get(PAGE), 'key')
    const started = await post(PAGE, { do: 'run', scenario: 'names-differ', until: 'rename', key })
    const address = started.headers.get('location') ?? ''
    assert.match(address, /^\/console\/sandbox\/[0-9a-f-]{36}$/)
    await eventually(async () => !/Running|Waiting/.test((await get(address)).words), RUN_MS_MAX)
    const { words, text } = await get(address)
    assert.match(words, /Names differ .* NAMES-DIFFER-\w{6} Done The lender orders .* Done The order is wrong.* Done/)
    assert.match(words, /PATCH \S+\/title-reconciliation sandbox-law-firm 200/)
    assert.match(words, /curl -X POST 'http:\S+\/names-differ'/)
    const [, command = ''] = /<code>lodgeway (trigger [^<]*)</.exec(text) ?? []
    const env = { LODGEWAY_URL: service.url, XDG_CONFIG_HOME: '/nowhere' }
    const { code, output, errors } = await lodgeway(command.split(' '), { env })
    assert.deepEqual([code, /^Done: NAMES-DIFFER-/m.test(output)], [0, true], errors)
    assert.match(text, /href="\/console\/matters\/[0-9a-f-]{36}"/)
  })

  it('that does not exist is refused, and its run is not found', async () => {
    assert.equal((await post(PAGE, { do: 'run', scenario: 'nothing', key: 'k' })).status, 404)
    assert.equal((await get(`${PAGE}/50000000-0000-4000-8000-000000000001`)).status, 404)
  })

  it('says that a step is done, to those who watch it', async () => {
    const { body } = await service.call('POST', '/sandbox/v1/scenarios/cancelled', { json: { until: 'order' } })
    const path = `/console/live?topic=run:${body['runId']}`
    const response = await console.answer(new Request(service.url + path, { headers: { cookie: 'person=Ola' } }))
    console.announceRun(String(body['runId']))
    console.announceRun('another')
    console.stop()
    assert.equal((await response.text()).match(/event: changed/g)?.length, 1)
  })
})
