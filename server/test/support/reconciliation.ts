import assert from 'node:assert/strict'
import type { TestService } from './service.ts'
import { FIRM, WORKSPACES } from './workspaces.ts'

// Title reconciliation as tests do it and look at it.

export type Reconciled = {
  borrowersValidationStatus: string
  parties: {
    partyId: string
    type: string
    role: string
    partyDetails: Record<string, string>
    match: string
    proprietorId?: string
    similarity: { proprietorId: string; reasons: string[] }[]
  }[]
  unmatchedProprietors: { proprietorId: string; type: string; proprietorDetails: Record<string, string> }[]
}

export const reconciliationPath = (workspaceId: string) => `${WORKSPACES}/${workspaceId}/title-reconciliation`

export async function readReconciliation(service: TestService, workspaceId: string): Promise<Reconciled> {
  const { status, body, text } = await service.call<Reconciled>('GET', reconciliationPath(workspaceId), FIRM)
  assert.equal(status, 200, text)
  return body
}

export const reconcile = (service: TestService, workspaceId: string, json: object) =>
  service.call<Record<string, string>>('PATCH', reconciliationPath(workspaceId), { ...FIRM, json })

/** By the name that it bears now. */
export function partyNamed({ parties }: Reconciled, forenames: string) {
  const party = parties.find(({ partyDetails }) => namesOf(partyDetails).includes(forenames))
  assert.ok(party, `a party named ${forenames}`)
  return party
}

export function unmatchedNamed({ unmatchedProprietors }: Reconciled, name: string) {
  const proprietor = unmatchedProprietors.find(({ proprietorDetails }) => namesOf(proprietorDetails).includes(name))
  assert.ok(proprietor, `an unmatched proprietor named ${name}`)
  return proprietor
}

const namesOf = ({ forenames, organisationName }: Record<string, string>) => [forenames, organisationName]
