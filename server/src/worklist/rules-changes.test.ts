import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldChangesOf, scopeOf } from './rules-changes.ts'

describe('what changed', () => {
  it('is each field with another value, by its place', () => {
    const before = {
      parties: [{ name: { surname: 'Prinne' }, role: 'BORROWER' }, { role: 'BORROWER' }],
      status: 'A',
      n: null,
    }
    const after = { parties: [{ name: { surname: 'Prynne' }, role: 'BORROWER' }], status: 'A', ready: true, value: 0 }
    assert.deepEqual(fieldChangesOf({ before, after }), [
      { field: 'parties[0].name.surname', before: 'Prinne', after: 'Prynne' },
      { field: 'parties[1].role', before: 'BORROWER' },
      { field: 'ready', after: true },
      { field: 'value', after: 0 },
    ])
    assert.deepEqual(fieldChangesOf({ before: undefined, after: null }), [])
  })

  it('is read with the scope that reads the thing itself', () => {
    for (const [ids, scope] of [
      [{ workspaceId: 'w' }, 'view:workspaces'],
      [{ workspaceId: 'w', partyId: 'p', representationId: 'r' }, 'view:workspaces'],
      [{ workspaceId: 'w', lodgementCaseId: 'c' }, 'x-api:view:lodgement_summary'],
      [{ workspaceId: 'w', fileId: 'f', applicationId: 'a' }, 'x-api:view:lodgement_summary'],
      [
        { workspaceId: 'w', financialSettlementScheduleId: 's', lineItemId: 'l' },
        'view:financial_settlement_schedules',
      ],
      [{ workspaceId: 'w', settlementId: 's' }, 'view:financial_settlement_schedules'],
    ] as const) {
      assert.equal(scopeOf({ ids }), scope)
    }
  })
})
