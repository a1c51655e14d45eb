import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Lodgeway, OutcomeError, WaitError } from '../src/index.ts'
import { startStub } from './support/stub.ts'

const WORKSPACE = { workspaceId: 'w' }
const FAST = { everyMs: 2 }

describe('waitFor', () => {
  it('reads until the result is the expected one', async () => {
    const { lodgeway, seen } = await startStub([
      { json: { status: 'CREATED' } },
      { json: { status: 'CREATED' } },
      { json: { status: 'CLOSED' } },
    ])
    const input = { path: { workspace_id: 'w' } }
    const { status } = await lodgeway.waitFor('getWorkspace', input, (one) => one.status === 'CLOSED', FAST)
    assert.equal(status, 'CLOSED')
    assert.equal(seen.length, 3)
  })

  it('ends in time, and says what it waited for and the last status', async () => {
    const over = { ...FAST, forMs: 30 }
    const created = { status: 'CREATED' }
    const input = { path: { workspace_id: 'w' } }
    const waits: [object, (lodgeway: Lodgeway) => Promise<unknown>, string][] = [
      [
        created,
        (lodgeway) => lodgeway.waitFor('getWorkspace', input, () => false, over),
        'getWorkspace did not return what is waited for within 0.03 s: the last status was CREATED.',
      ],
      [
        { status: 'QUEUED' },
        (lodgeway) => lodgeway.waitForRepresentation({ ...WORKSPACE, partyId: 'p', representationId: 'r' }, over),
        'The representation of party p was not active within 0.03 s: the last status was QUEUED.',
      ],
      [
        { records: [{ lastTitleSearchStatus: 'PENDING' }] },
        (lodgeway) => lodgeway.waitForTitleSearch(WORKSPACE, over),
        'The title search of workspace w was not answered within 0.03 s: the last status was PENDING.',
      ],
      [
        { fileUploadStatus: 'PENDING' },
        (lodgeway) => lodgeway.waitForFile({ ...WORKSPACE, fileId: 'f' }, over),
        'The upload of file f was not checked within 0.03 s: the last status was PENDING.',
      ],
      [
        { records: [{ lodgementCaseStatus: 'LODGED' }] },
        (lodgeway) => lodgeway.waitForCase(WORKSPACE, ['REGISTERED', 'REQUISITIONED'], over),
        'The case of workspace w did not become REGISTERED or REQUISITIONED within 0.03 s: the last status was LODGED.',
      ],
    ]
    for (const [json, wait, message] of waits) {
      const { lodgeway } = await startStub([{ json }])
      await assert.rejects(wait(lodgeway), (error: WaitError) => {
        assert.ok(error instanceof WaitError)
        assert.equal(error.message, message)
        assert.ok(error.last !== undefined)
        return true
      })
    }
  })

  it('ends when its signal is aborted', async () => {
    const { lodgeway } = await startStub([{ json: { status: 'CREATED' } }])
    const how = { everyMs: 60_000, signal: AbortSignal.timeout(30) }
    await assert.rejects(
      lodgeway.waitFor('getWorkspace', { path: { workspace_id: 'w' } }, () => false, how),
      { name: 'TimeoutError' },
    )
  })
})

describe('waitForRepresentation', () => {
  it('reads the one that the response names', async () => {
    const { lodgeway, seen } = await startStub([{ json: { status: 'QUEUED' } }, { json: { status: 'ACTIVE' } }])
    const found = await lodgeway.waitForRepresentation({ ...WORKSPACE, partyId: 'p', representationId: 'r' }, FAST)
    assert.equal(found.status, 'ACTIVE')
    assert.ok(seen.every(({ url }) => url.endsWith('/workspaces/w/representation/r')))
  })

  it('reads the newest of the party where the response names none', async () => {
    const records = (status: string) => ({
      json: {
        records: [
          { partyId: 'p', status: 'ACTIVE' },
          { partyId: 'p', status },
          { partyId: 'other', status: 'QUEUED' },
        ],
      },
    })
    const { lodgeway, seen } = await startStub([records('QUEUED'), records('FAILED')])
    await assert.rejects(lodgeway.waitForRepresentation({ ...WORKSPACE, partyId: 'p' }, FAST), OutcomeError)
    assert.equal(seen.length, 2)
  })

  it('throws one that failed, with its reason', async () => {
    const { lodgeway } = await startStub([{ json: { status: 'FAILED', failureReason: 'WORKSPACE_LOCKED' } }])
    const waiting = lodgeway.waitForRepresentation({ ...WORKSPACE, partyId: 'p', representationId: 'r' }, FAST)
    await assert.rejects(waiting, (error: OutcomeError) => error.reason === 'WORKSPACE_LOCKED')
  })
})

describe('waitForTitleSearch', () => {
  const found = (lastTitleSearchStatus: string, more = {}) => ({
    json: { records: [{ lastTitleSearchStatus, ...more }] },
  })

  it('returns the case once the register was read', async () => {
    const { lodgeway } = await startStub([found('INITIATED'), found('PENDING'), found('SUCCESS')])
    assert.equal((await lodgeway.waitForTitleSearch(WORKSPACE, FAST)).lastTitleSearchStatus, 'SUCCESS')
  })

  it('throws a search that failed, with its reason', async () => {
    const { lodgeway } = await startStub([found('FAILED', { titleSearchFailure: 'CLOSED' })])
    await assert.rejects(
      lodgeway.waitForTitleSearch(WORKSPACE, FAST),
      (error: OutcomeError) => error.reason === 'CLOSED',
    )
  })
})

describe('waitForFile', () => {
  const seen = (fileUploadStatus: string, more = {}) => ({ json: { fileUploadStatus, ...more } })

  it('returns the file once it has passed its checks', async () => {
    const { lodgeway } = await startStub([seen('PENDING'), seen('SUCCESS')])
    assert.equal((await lodgeway.waitForFile({ ...WORKSPACE, fileId: 'f' }, FAST)).fileUploadStatus, 'SUCCESS')
  })

  it('throws one that failed or was withdrawn', async () => {
    for (const [reply, reason] of [
      [seen('FAILED', { failureReason: 'INFECTED' }), 'INFECTED'],
      [seen('WITHDRAWN'), 'WITHDRAWN'],
    ] as const) {
      const { lodgeway } = await startStub([reply])
      await assert.rejects(
        lodgeway.waitForFile({ ...WORKSPACE, fileId: 'f' }, FAST),
        (error: OutcomeError) => error.reason === reason,
      )
    }
  })
})

describe('waitForCase', () => {
  it('returns the case once it has one of the statuses', async () => {
    const at = (lodgementCaseStatus: string) => ({ json: { records: [{ lodgementCaseStatus }] } })
    const { lodgeway } = await startStub([at('INITIATED'), at('REGISTRATION_REJECTED')])
    const { lodgementCaseStatus } = await lodgeway.waitForCase(WORKSPACE, ['LODGED', 'REGISTRATION_REJECTED'], FAST)
    assert.equal(lodgementCaseStatus, 'REGISTRATION_REJECTED')
  })

  it('does not wait for a status that is no longer possible', async () => {
    const cancelled = { json: { records: [{ lodgementCaseStatus: 'CANCELLED' }] } }
    const { lodgeway } = await startStub([cancelled, cancelled])
    await assert.rejects(
      lodgeway.waitForCase(WORKSPACE, ['REGISTERED'], FAST),
      (error: OutcomeError) => error.reason === 'CANCELLED',
    )
    assert.ok(await lodgeway.waitForCase(WORKSPACE, ['CANCELLED'], FAST))
  })
})
