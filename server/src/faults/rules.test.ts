import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verifyWebhook, type WebhookError } from '../../../client/src/webhooks.ts'
import { newSharedSecret } from '../notifications/sign.ts'
import { altered, type CountedFault, draw, type Fault, faultErrors, type Occasion } from './rules.ts'
import { DELIVERY_KINDS, expectedOf, isAsExpected, messageOf } from './rules-deliveries.ts'

const counted = (...faults: Fault[]): CountedFault[] => faults.map((fault) => ({ ...fault, seen: 0, injected: 0 }))
const READ = { operation: 'getWorkspace', method: 'GET' }

/** The kinds that each of a series of requests meets. */
function series(faults: CountedFault[], { seed = 1, count = 10, occasion = READ as Occasion } = {}): string[] {
  let now = faults
  return Array.from({ length: count }, () => {
    const drawn = draw({ seed, faults: now }, occasion)
    now = drawn.faults
    return drawn.met.map(({ kind }) => kind).join()
  })
}

describe('draw', () => {
  it('meets the same requests with the same seed, and others with another', () => {
    const half = () => counted({ kind: 'UNAVAILABLE', share: 0.5 })
    const met = series(half(), { count: 1_000 })
    assert.deepEqual(series(half(), { count: 1_000 }), met)
    assert.notDeepEqual(series(half(), { count: 1_000, seed: 2 }), met)
    const share = met.filter(Boolean).length
    assert.ok(share > 450 && share < 550, String(share))
  })

  for (const [what, faults, occasion, expected] of [
    ['as often as it may', [{ kind: 'TOO_MANY', times: 2 }], READ, ['TOO_MANY', 'TOO_MANY', '']],
    ['none with a share of zero', [{ kind: 'DELAY', share: 0 }], READ, ['', '', '']],
    ['no other operation', [{ kind: 'DELAY', operations: ['addTitle'] }], READ, ['', '', '']],
    ['no other method', [{ kind: 'DELAY', methods: ['POST'] }], READ, ['', '', '']],
    ['the one named', [{ kind: 'DELAY', operations: ['getWorkspace'] }], READ, ['DELAY', 'DELAY', 'DELAY']],
    [
      'one refusal, and nothing after it',
      [{ kind: 'DELAY' }, { kind: 'UNAVAILABLE', times: 1 }, { kind: 'LOST_ANSWER' }],
      READ,
      ['DELAY,UNAVAILABLE', 'DELAY,LOST_ANSWER', 'DELAY,LOST_ANSWER'],
    ],
    ['no token that is not named', [{ kind: 'DELAY' }], { operation: 'issueToken', method: 'POST' }, ['', '', '']],
    [
      'a token that is named',
      [{ kind: 'DELAY', operations: ['issueToken'], times: 1 }],
      { operation: 'issueToken', method: 'POST' },
      ['DELAY', '', ''],
    ],
    ['no request with a fault of webhooks', [{ kind: 'DUPLICATE_WEBHOOK' }], READ, ['', '', '']],
    [
      'webhooks with their own',
      [{ kind: 'UNAVAILABLE' }, { kind: 'REORDERED_WEBHOOK', times: 1 }],
      'webhook',
      ['REORDERED_WEBHOOK', '', ''],
    ],
  ] as [string, Fault[], Occasion, string[]][])
    it(`meets ${what}`, () => assert.deepEqual(series(counted(...faults), { count: 3, occasion }), expected))
})

describe('faultErrors', () => {
  it('refuses options of other kinds and operations that do not exist', () => {
    const faults: Fault[] = [
      { kind: 'DELAY', delayMs: 5, retryAfterSeconds: 1 },
      { kind: 'DUPLICATE_WEBHOOK', methods: ['GET'] },
      { kind: 'NEW_VALUE', field: 'type', operations: ['getWorkspace', 'getWorkspaces'] },
    ]
    const errors = faultErrors(faults, (name) => name === 'getWorkspace')
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['faults[0].retryAfterSeconds', 'faults[1].methods', 'faults[2].operations'],
    )
    assert.match(errors[2]?.message ?? '', /^getWorkspaces must be an operationId/)
  })
})

describe('altered', () => {
  it('adds a field to each object, and a value to a field', () => {
    const answer = JSON.parse(
      altered('{"records":[{"status":"CREATED","type":"A"}]}', [{ kind: 'NEW_FIELD' }, { kind: 'NEW_VALUE' }]),
    ) as unknown
    const fieldOfAFutureVersion = 'VALUE_OF_A_FUTURE_VERSION'
    assert.deepEqual(answer, {
      records: [{ status: 'VALUE_OF_A_FUTURE_VERSION', type: 'A', fieldOfAFutureVersion }],
      fieldOfAFutureVersion,
    })
  })
  it('leaves other answers as they are', () => assert.equal(altered('{"a": 1}', [{ kind: 'DELAY' }]), '{"a": 1}'))
})

describe('messageOf', () => {
  const secret = newSharedSecret()
  const event = {
    eventId: '5d3f0c1e-6f8b-4b59-9c1f-0f4f8f0c5a11',
    type: 'TITLE_DATA_RECEIVED',
    workspaceId: '50000000-0000-4000-8000-000000000001',
    data: {},
    at: new Date(),
  }
  const newId = '6d3f0c1e-6f8b-4b59-9c1f-0f4f8f0c5a11'
  const parts = { event, subscriberId: newId, newId, secret, otherSecret: newSharedSecret(), now: new Date() }
  const mistakes = {
    UNSIGNED: 'header-missing',
    FORGED: 'signature-mismatch',
    ALTERED: 'signature-mismatch',
    STALE: 'too-old',
    REPLAYED: undefined,
    NEW_TYPE: undefined,
  }
  for (const kind of DELIVERY_KINDS)
    it(`${kind} is ${expectedOf(kind)} by a receiver that verifies`, () => {
      const { headers, body } = messageOf(kind, parts)
      let mistake: string | undefined
      try {
        verifyWebhook({ secret, headers, body })
      } catch (error) {
        mistake = (error as WebhookError).mistake
      }
      assert.equal(mistake, mistakes[kind])
      assert.equal(isAsExpected(kind, mistake ? 400 : 204), true)
      assert.equal(isAsExpected(kind, mistake ? 204 : 500), false)
      assert.equal(headers['webhook-id'], kind === 'REPLAYED' ? event.eventId : newId)
    })
})
