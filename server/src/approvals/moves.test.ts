import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDeed, anApplication, ready, without } from '../../test/fixtures/readiness.ts'
import { APPLICATION_STATUSES, type ApplicationStatus } from '../lodgement/status.ts'
import { movesOf, reviewReadiness } from './rules.ts'

/** Where a deed in that status goes, as it is complete or wants its value, and was changed or not. */
function goes(status: ApplicationStatus, complete: 'complete' | 'wanting', changed: 'changed' | 'not changed') {
  const deed = complete === 'complete' ? aDeed({ status }) : without(aDeed({ status }), 'transactionValuePence')
  const facts = ready({ applications: [deed] })
  const moves = movesOf(facts.applications, reviewReadiness(facts), changed === 'changed' ? [deed.applicationId] : [])
  return moves.map((move) => move.status).join()
}

/** Complete and changed, complete, wanting and changed, wanting. Empty: it stays. */
const EXPECTED: Record<ApplicationStatus, [string, string, string, string]> = {
  DRAFT: ['READY', 'READY', '', ''],
  READY: ['', '', 'DRAFT', 'DRAFT'],
  APPROVED: ['READY', 'READY', 'DRAFT', 'DRAFT'],
  SUBMITTED: ['', '', '', ''],
  LODGED: ['', '', '', ''],
  REQUISITIONED: ['', '', '', ''],
  REGISTERED: ['', '', '', ''],
  REJECTED: ['READY', '', 'DRAFT', ''],
  WITHDRAWN: ['', '', '', ''],
}

describe('movesOf', () => {
  for (const status of APPLICATION_STATUSES) {
    it(`puts a deed that is ${status} where it belongs, or leaves it`, () => {
      const seen = [
        goes(status, 'complete', 'changed'),
        goes(status, 'complete', 'not changed'),
        goes(status, 'wanting', 'changed'),
        goes(status, 'wanting', 'not changed'),
      ]
      assert.deepEqual(seen, EXPECTED[status])
    })
  }

  it('judges each by its own rules: neither by those of the case nor by those of another', () => {
    const facts = ready({
      searchStatus: 'FAILED',
      representations: [],
      applications: [aDeed(), anApplication('TRANSFER_OF_WHOLE'), anApplication('DISCHARGE')],
    })
    assert.deepEqual(movesOf(facts.applications, reviewReadiness(facts), []), [
      { applicationId: 'MORTGAGE_DEED', status: 'READY' },
      { applicationId: 'DISCHARGE', status: 'READY' },
    ])
  })
})
