import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  partyNamed,
  type Reconciled,
  readReconciliation,
  reconciliationPath,
  unmatchedNamed,
} from './reconciliation.ts'
import type { TestService } from './service.ts'
import {
  aBorrower,
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  eventsOf,
  FIRM,
  FIRM_ID,
  faultsOf,
  fieldsOf,
  LENDER_ID,
  readCase,
  readWorkspace,
} from './workspaces.ts'

/** Title reconciliation over HTTP, in the words of its tests. */
export function reconcilingWith(service: TestService) {
  const read = (workspaceId: string, headers = {}, as = FIRM) =>
    service.call<Reconciled>('GET', reconciliationPath(workspaceId), { ...as, headers })
  const patch = (workspaceId: string, json: object, headers = {}, as = FIRM) =>
    service.call<Record<string, string>>('PATCH', reconciliationPath(workspaceId), { ...as, json, headers })

  /** William is matched; Grace, and the proprietor Tracey, are not. The register holds a charge and a restriction. */
  async function aStranger() {
    const parties = [aBorrower('William'), aBorrower('Grace', 'Okafor')]
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500681', parties)
    const seen = await readReconciliation(service, workspaceId)
    const [grace, tracey] = [partyNamed(seen, 'Grace').partyId, unmatchedNamed(seen, 'Tracey').proprietorId]
    return { workspaceId, grace, tracey }
  }

  /** All that can be seen of it, in short. */
  async function standing(workspaceId: string) {
    const { parties, unmatchedProprietors, borrowersValidationStatus } = await readReconciliation(service, workspaceId)
    const workspace = await readWorkspace(service, workspaceId)
    assert.equal(workspace.borrowersValidationStatus, borrowersValidationStatus)
    assert.deepEqual(
      workspace.parties.map(({ partyId, role, partyDetails }) => ({ partyId, role, partyDetails })),
      parties.map(({ partyId, role, partyDetails }) => ({ partyId, role, partyDetails })),
    )
    return {
      parties: parties.map((one) => `${Object.values(one.partyDetails).join(' ')}, ${one.role}: ${one.match}`),
      unmatched: unmatchedProprietors.map(({ proprietorDetails }) => Object.values(proprietorDetails).join(' ')),
      status: borrowersValidationStatus,
      transferOfEquity: workspace.transferOfEquity,
      applications: applicationsOf(await readCase(service, workspaceId)),
    }
  }

  /** Does it, and again: told and recorded once, answered twice in the same words. */
  async function done(
    workspaceId: string,
    json: Record<string, unknown>,
    told: string[],
  ): Promise<Record<string, string>> {
    const [events, entries] = [await eventsOf(service, workspaceId), await auditOf(service, workspaceId)]
    const correlationId = randomUUID()
    const first = await patch(workspaceId, json, {
      'x-request-correlation-id': correlationId,
      'x-acting-user': 'ann@example.com',
    })
    assert.equal(first.status, 200, first.text)
    assert.equal(first.headers.get('etag'), (await read(workspaceId)).headers.get('etag'))
    const seen = (await eventsOf(service, workspaceId)).slice(events.length)
    assert.deepEqual(
      seen.map(({ type }) => type),
      told,
    )
    const { reference } = await readWorkspace(service, workspaceId)
    for (const { told: whom, data, actor, correlationId: id } of seen) {
      assert.deepEqual([whom, actor, id], [[LENDER_ID, FIRM_ID], 'ann@example.com', correlationId])
      assert.equal(data['reference'], reference)
      assert.doesNotMatch(JSON.stringify(data), /Prynne|Okafor|Santos|Turner/, 'no personal data')
    }
    const [entry, ...more] = (await auditOf(service, workspaceId)).slice(entries.length)
    assert.partialDeepStrictEqual(entry, {
      action: json['action'],
      clientId: 'sandbox-law-firm',
      actingUser: 'ann@example.com',
      correlationId,
      ids: { workspaceId },
    })
    assert.ok(entry?.before && entry.after && more.length === 0, 'one entry, with before and after')

    const again = await patch(workspaceId, json)
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    assert.equal((await eventsOf(service, workspaceId)).length, events.length + told.length)
    assert.equal((await auditOf(service, workspaceId)).length, entries.length + 1)
    return first.body
  }

  /** Tracey is outgoing and Grace incoming, so that every action has somebody whom it does not fit. */
  async function aTransfer() {
    const { workspaceId, grace, tracey } = await aStranger()
    const { proprietorId: coming = '' } = (
      await patch(workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace })
    ).body
    const { partyId: leaving = '' } = (
      await patch(workspaceId, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey })
    ).body
    const [william] = (await readReconciliation(service, workspaceId)).parties
    const ids = { william: william?.partyId ?? '', matched: william?.proprietorId ?? '' }
    return { workspaceId, grace, tracey, coming, leaving, ...ids }
  }

  /** Status and field of a refusal that left no trace. */
  async function refused(workspaceId: string, json: object, headers = {}): Promise<[number, string[]]> {
    const trace = async () => [
      (await eventsOf(service, workspaceId)).length,
      (await auditOf(service, workspaceId)).length,
      await readCase(service, workspaceId),
      (await read(workspaceId)).body,
    ]
    const before = await trace()
    const answer = await patch(workspaceId, json, headers)
    assert.deepEqual(await trace(), before)
    for (const { message } of faultsOf(answer)) assert.match(message, /^\S.*\.$/)
    return [answer.status, fieldsOf(answer)]
  }

  return { read, patch, refused, aStranger, aTransfer, standing, done }
}
