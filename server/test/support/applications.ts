import assert from 'node:assert/strict'
import type { ApplicationType } from '../../src/lodgement/rules.ts'
import { applicationPath, liveApplications } from './approvals.ts'
import type { TestService } from './service.ts'
import { aSearchedWorkspace, auditOf, eventsOf, FIRM, readCase, type ShownApplication } from './workspaces.ts'

// Lodgement applications as tests change them and look at them.

export type Place = { workspaceId: string; lodgementCaseId: string; applicationId: string }

/** Works on whatever service stands when it is called. */
export const applying = (serviceOf: () => TestService) => ({
  /** An application of a workspace whose title was searched. */
  async anApplication(type: ApplicationType = 'MORTGAGE_DEED'): Promise<Place> {
    const { workspaceId } = await aSearchedWorkspace(serviceOf(), 'ST500678')
    const found = (await liveApplications(serviceOf(), workspaceId)).find((one) => one.applicationType === type)
    assert.ok(found)
    return { workspaceId, ...found }
  },

  read: (place: Place, as: { as?: string } = FIRM, headers: Record<string, string> = {}) =>
    serviceOf().call<ShownApplication>('GET', applicationPath(place), { ...as, headers }),

  patch: (place: Place, json: unknown, headers: Record<string, string> = {}, as: { as?: string } = FIRM) =>
    serviceOf().call<ShownApplication>('PATCH', applicationPath(place), { ...as, json, headers }),

  /** What a refusal must leave alone. */
  trace: async ({ workspaceId }: Place) => [
    await readCase(serviceOf(), workspaceId),
    (await eventsOf(serviceOf(), workspaceId)).length,
    (await auditOf(serviceOf(), workspaceId)).length,
  ],
})
