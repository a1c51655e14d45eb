import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { verifyWebhook } from '../../client/src/webhooks.ts'
import { type Receiver, startReceiver } from '../../server/test/fakes/receiver.ts'
import { atEnd } from '../../server/test/fixtures/at-end.ts'
import { eventually } from '../../server/test/fixtures/eventually.ts'
import { testService } from '../../server/test/fixtures/service.ts'
import { aWorkspace } from '../../server/test/fixtures/workspaces.ts'
import { listenerOf } from '../src/listen/place.ts'
import { readState, stateFile, writeState } from '../src/listen/state.ts'
import { type Given, lodgeway as run } from './harness.ts'

// Commands about events against a running sandbox.

const service = await testService()
const home = await mkdtemp(join(tmpdir(), 'lodgeway-cli-'))
atEnd(() => rm(home, { recursive: true, force: true }))

const ENV = {
  XDG_CONFIG_HOME: home,
  XDG_STATE_HOME: home,
  XDG_CACHE_HOME: home,
  LODGEWAY_URL: service.url,
  LODGEWAY_PROFILE: 'sandbox-lender',
}
const lodgeway = (words: string, given: Given = {}) =>
  run(words.split(' '), { ...given, env: { ...ENV, ...given.env } })
const secretIn = (text: string) => /whsec_\S+/.exec(text)?.[0] ?? assert.fail(text)
const stateOf = (address: string) =>
  stateFile(ENV, { service: service.url, profile: 'sandbox-lender', address: new URL(address).href })
const referencesOf = ({ received }: Receiver) => received.map(({ payload }) => payload.data['reference'])

async function aReceiver(...[answer]: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  atEnd(receiver.stop)
  return receiver
}

/** A new matter, once its creation is in the feed. */
async function published(reference: string): Promise<void> {
  await aWorkspace(service, { reference })
  await eventually(async () => (await lodgeway('events --since 1h --json')).output.includes(`"${reference}"`))
}

/** A listener in the background, which is ended by Ctrl-C. */
async function listening(words: string) {
  const pressed = new AbortController()
  const ended = lodgeway(`listen ${words}`, { interrupted: pressed.signal })
  const address = /--forward (\S+)/.exec(words)?.[1] ?? ''
  await eventually(async () => (await readState(stateOf(address)))?.cursor !== undefined)
  return {
    end: () => {
      pressed.abort()
      return ended
    },
  }
}

describe('lodgeway listen', () => {
  it('forwards what happens, signed, and goes on where it stopped', async () => {
    const receiver = await aReceiver()
    const words = `--forward ${receiver.url} --types WORKSPACE_CREATED`
    const first = await listening(words)
    await aWorkspace(service, { reference: 'ONE' })
    await receiver.until(1)
    const { code, output, errors } = await first.end()
    assert.equal(code, 0, errors)
    assert.match(output, /^\S+ {2}WORKSPACE_CREATED +\w{8} {2}→ 204 {2}\d+ ms\n$/)

    await aWorkspace(service, { reference: 'MISSED' })
    const second = await lodgeway(`listen ${words} --for 60s --expect WORKSPACE_CREATED --json`)
    assert.equal(second.code, 0, second.errors)
    const { event, isDelivered, attempts } = JSON.parse(second.output)
    assert.deepEqual([event.data.reference, isDelivered, attempts], ['MISSED', true, 1])
    assert.deepEqual(referencesOf(receiver), ['ONE', 'MISSED'])
    assert.equal(secretIn(errors), secretIn(second.errors))
    for (const { headers, body } of receiver.received) verifyWebhook({ secret: secretIn(errors), headers, body })
  })

  it('asks a person what to do with what was missed', async () => {
    const receiver = await aReceiver()
    const words = `--forward ${receiver.url} --types WORKSPACE_CREATED`
    await (await listening(words)).end()
    const answered = (input: string, given: Given = { interrupted: AbortSignal.abort() }) =>
      lodgeway(`listen ${words} --for 60s --expect WORKSPACE_CREATED`, { isTTY: true, input, ...given })
    await published('KEPT')
    assert.match(
      (await answered('k\n')).errors,
      /1 event since you last listened: \[s\]end, \[k\]eep for later, \[d\]rop/,
    )
    assert.deepEqual(referencesOf(receiver), [])
    await answered('s\n', {})
    assert.deepEqual(referencesOf(receiver), ['KEPT'])
    await published('DROPPED')
    await answered('d\n')
    assert.doesNotMatch((await answered('')).errors, /since you last listened/)
    assert.deepEqual(referencesOf(receiver), ['KEPT'])
  })

  it('runs once for a profile and an address', async () => {
    const { url } = await aReceiver()
    const first = await listening(`--forward ${url}`)
    const second = await lodgeway(`listen --forward ${url}`)
    assert.equal(second.code, 2)
    assert.match(
      second.errors,
      /sandbox-lender already listens for http:\/\/127\S+\. End that one, or forward elsewhere/,
    )
    await first.end()
  })

  it('fails when what was expected did not come, and prints what did', async () => {
    const { code, errors } = await lodgeway('listen --print --for 1s --expect WORKSPACE_CLOSED')
    assert.deepEqual([code, /No WORKSPACE_CLOSED was delivered within 1s/.test(errors)], [1, true])
    const printed = await lodgeway('listen --print --since beginning --for 60s --expect WORKSPACE_CREATED')
    assert.match(printed.output, /"type": "WORKSPACE_CREATED"/)
  })

  for (const [words, says] of [
    ['listen', /Give --forward with the address of your receiver, or --print/],
    ['listen --forward localhost:3000/hooks', /is not an address such as/],
    [
      'listen --print --expect WORKSPACE_CREATE',
      /no type of event WORKSPACE_CREATE\. Did you mean WORKSPACE_CREATED\?/,
    ],
    ['listen --print --for ever', /--for expects a time such as 30s/],
    ['listen --print --since a-while/ago', /expected an age such as 10m or 2h, a cursor, or `beginning`/],
    ['replay', /Give the ids of events, or --failed, or --since 2h/],
    ['clock advance', /Say `clock next`, `clock advance P3D`/],
    ['logs --last few', /--last expects a number/],
  ] as const) {
    it(`says what is wrong with: ${words}`, async () => {
      const { code, errors } = await lodgeway(words)
      assert.equal(code, 2)
      assert.match(errors, says)
    })
  }

  it('starts again at the beginning when the service does not know its place any more', async () => {
    const receiver = await aReceiver()
    const place = { service: service.url, profile: 'sandbox-lender', address: new URL(receiver.url).href }
    await writeState(stateOf(receiver.url), place, { cursor: 'of-another-service', settled: [], failed: [] })
    const { code, errors } = await lodgeway(`listen --forward ${receiver.url} --for 60s --expect WORKSPACE_CREATED`)
    assert.match(errors, /Listening from its beginning/)
    assert.equal(code, 0)
  })
})

describe('lodgeway events and replay', () => {
  it('print the feed, and send an event again', async () => {
    await aWorkspace(service, { reference: 'AGAIN' })
    const created = async () => {
      const { output } = await lodgeway('events --since 1h --json')
      const events = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      return events.find(({ type, data }) => type === 'WORKSPACE_CREATED' && data.reference === 'AGAIN')
    }
    await eventually(async () => (await created()) !== undefined)
    const { id } = await created()
    assert.match((await lodgeway('events --since 1h')).output, new RegExp(`WORKSPACE_CREATED +AGAIN +${id}`))

    const receiver = await aReceiver()
    const direct = await lodgeway(`replay ${id} --to ${receiver.url}`)
    assert.equal(direct.code, 0, direct.errors)
    const listener = await listening(`--forward ${receiver.url}`)
    const byListener = await lodgeway(`replay ${id} --to ${receiver.url}`)
    assert.match(byListener.output, /^1 event goes again to /)
    await receiver.until(2)
    const toAll = await lodgeway(`replay ${id} --json`)
    assert.ok(JSON.parse(toAll.output).listeners.includes(listenerOf({ address: receiver.url })), toAll.output)
    await receiver.until(3)
    assert.deepEqual(new Set(receiver.received.map((one) => one.id)), new Set([id]))
    await listener.end()

    const state = (await readState(stateOf(receiver.url))) ?? assert.fail()
    const place = { service: service.url, profile: 'sandbox-lender', address: receiver.url }
    await writeState(stateOf(receiver.url), place, { ...state, failed: [{ id, type: 'X', reason: 'status 500' }] })
    assert.equal((await lodgeway(`replay --failed --to ${receiver.url}`)).code, 0)
    assert.equal(receiver.received.length, 4)
    const nothing = await lodgeway(`replay --failed --to ${receiver.url}`)
    assert.deepEqual([nothing.code, nothing.errors], [1, 'There is nothing to send again.\n'])
  })
})

describe('lodgeway logs, clock and trigger', () => {
  it('show a refused call and its reason', async () => {
    const wrong = await service.call('POST', '/partner/api/platformconnect/v1/remortgage/workspaces', {
      as: 'sandbox-lender',
      json: {},
    })
    assert.equal(wrong.status, 400)
    await eventually(async () =>
      /reference: /.test((await lodgeway('logs --status 4xx --route createRemortgageWorkspace')).output),
    )
    const { output } = await lodgeway('logs --status 4xx --route remortgage --last 1')
    assert.match(output, /^\S+ {2}400 {2}POST \/remortgage\/workspaces {2}\d+ ms {2}sandbox-lender\n {10}\w+: /)
  })

  it('move the clock, and say what ran', async () => {
    assert.match((await lodgeway('clock')).output, /^\S+Z\ndue +matter +what\n/)
    const advanced = await lodgeway('clock advance 1h')
    assert.match(advanced.output, /^The clock is at \S+Z\. \d+ jobs? ran\.\n/)
    const next = JSON.parse((await lodgeway('clock next --json')).output)
    assert.ok(next.due.length > 0)
    const back = await lodgeway('clock set 2020-01-01T00:00:00Z')
    assert.deepEqual([back.code, /does not go backwards/.test(back.errors)], [1, true])
  })

  it('list the scenarios, and play one until a step', async () => {
    assert.match((await lodgeway('trigger')).output, /^names-differ {2}.+\n {2}order → rename/m)
    const { code, output, errors } = await lodgeway('trigger names-differ --until rename')
    assert.equal(code, 0, errors)
    assert.match(output, /^NAMES-DIFFER-\S+ begins\.\n {2}✓ order .+\n {2}✓ rename .+\nDone: NAMES-DIFFER-/)
    assert.equal((await lodgeway('trigger nonsense')).code, 1)
  })
})
