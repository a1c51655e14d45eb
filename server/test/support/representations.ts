import assert from 'node:assert/strict'
import type { Answer, TestService } from './service.ts'
import { aWorkspace, FIRM, LENDER, readWorkspace, WORKSPACES } from './workspaces.ts'

// Representations as tests ask for them and look at them.

export const A_FIRM = {
  name: 'Marsh & Hill Solicitors',
  address: { number: '12', street: 'Castle Street', town: 'Taunton', postcode: 'TA1 4AS' },
}

export const ANOTHER_FIRM = { name: 'Hill & Daughters', address: { ...A_FIRM.address, number: '14' } }

export const OWN = { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' }
export const EXTERNAL = { representedBy: 'EXTERNAL_LAW_FIRM', externalLawFirm: A_FIRM, referenceNumber: 'MH/2026-118' }
export const NOBODY = { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'LAW_FIRM_CERTIFIED' }
export const reusing = (representationId: string) => ({ representedBy: 'EXTERNAL_LAW_FIRM', representationId })

export type ShownRepresentation = {
  workspaceId: string
  representationId: string
  partyId: string
  representedBy: string
  subscriberId?: string
  externalLawFirm?: typeof A_FIRM
  referenceNumber?: string
  verificationOfIdentity?: string
  status: string
  failureReason?: string
  auditAttributes: Record<'createdAt' | 'createdBy' | 'lastModifiedAt' | 'lastModifiedBy', string>
}

export const pathOf = (workspaceId: string, representationId?: string) =>
  `${WORKSPACES}/${workspaceId}/representation${representationId ? `/${representationId}` : ''}`

/** A workspace of two borrowers, without a title. */
export async function aMatter(service: TestService): Promise<{ workspaceId: string; partyIds: [string, string] }> {
  const { workspaceId } = await aWorkspace(service)
  const [first, second] = (await readWorkspace(service, workspaceId)).parties
  assert.ok(first && second)
  return { workspaceId, partyIds: [first.partyId, second.partyId] }
}

type Accepted = Omit<ShownRepresentation, 'status' | 'auditAttributes'>

export function add(
  service: TestService,
  workspaceId: string,
  json: unknown,
  { as = FIRM.as, headers = {} }: { as?: string; headers?: Record<string, string> } = {},
): Promise<Answer<Accepted>> {
  return service.call<Accepted>('POST', pathOf(workspaceId), { as, json, headers })
}

/** Asked for and accepted; its id, which the 202 shows only for external firms, is read from the list. */
export async function accepted(service: TestService, workspaceId: string, json: unknown): Promise<string> {
  const { status, text } = await add(service, workspaceId, json)
  assert.equal(status, 202, text)
  const last = (await listed(service, workspaceId)).at(-1)
  assert.ok(last)
  return last.representationId
}

export async function listed(service: TestService, workspaceId: string, as = LENDER): Promise<ShownRepresentation[]> {
  const path = `${pathOf(workspaceId)}?limit=100`
  const { status, body, text } = await service.call<{ records: ShownRepresentation[] }>('GET', path, as)
  assert.equal(status, 200, text)
  return body.records
}

/** Status and, where there is one, why it failed, of each in order. */
export const statusesOf = async (service: TestService, workspaceId: string): Promise<string[]> =>
  (await listed(service, workspaceId)).map(({ status, failureReason }) =>
    failureReason ? `${status} ${failureReason}` : status,
  )
