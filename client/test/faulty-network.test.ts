import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aPdf } from '../../server/test/fixtures/multipart.ts'
import { happenedOnce } from '../../server/test/journeys/effects.ts'
import { type Journey, metBothErrors, startJourney } from '../../server/test/journeys/journey.ts'
import { anOrder, pathOf } from '../../server/test/journeys/steps.ts'
import { CANCELLED, ordered } from '../../server/test/journeys/traces.ts'
import { byChance } from './support/faulty-proxy.ts'

// One request in five is answered 503, and one connection in ten is lost after the request was done. Whole matters on such
// a network are tested in server/test; here are many calls at once.

let journey: Journey
let folder: string
before(async () => {
  journey = await startJourney({ network: byChance({ seed: 11 }) })
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-client-'))
})
after(() => rm(folder, { recursive: true, force: true }))

describe('through a network that fails', () => {
  it('twenty orders make twenty workspaces, and twenty cancellations succeed', async () => {
    const { lender } = journey
    const references = Array.from({ length: 20 }, (_, index) => `PROXY-${index}`)
    const created = await Promise.all(
      references.map((reference) => lender.createRemortgageWorkspace({ body: anOrder({ reference }) })),
    )
    const body = { cancellationReason: 'OTHER', cancellationNotesForOther: 'A test' } as const
    const cancelled = await Promise.all(created.map((one) => lender.cancelWorkspace({ ...pathOf(one), body })))
    assert.ok(cancelled.every(({ status }) => status === 'CANCELLED'))
    const found = await Array.fromAsync(lender.records('listWorkspaces', { query: { limit: 7 } }))
    assert.deepEqual(found.map(({ reference }) => reference).sort(), references.sort())
    for (const { workspaceId } of created) await happenedOnce({ ...journey, workspaceId }, ordered(), CANCELLED)
  })

  it('ten files of a megabyte are stored once and downloaded unchanged', async () => {
    const { lender } = journey
    const { workspaceId } = await lender.createRemortgageWorkspace({ body: anOrder() })
    const path = { workspace_id: workspaceId }
    const fields = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' } as const
    const files = Array.from({ length: 10 }, (_, index) => aPdf(String(index).repeat(1_000_000)))
    const sent = await Promise.all(files.map((file) => lender.upload('uploadFile', { path, fields, file })))
    const known = await Array.fromAsync(lender.records('listFiles', { path }), ({ fileId }) => fileId)
    assert.deepEqual(known.sort(), sent.map(({ fileId }) => fileId).sort())
    for (const [index, { fileId }] of sent.entries()) {
      await lender.waitForFile({ workspaceId, fileId })
      const to = join(folder, fileId)
      await lender.downloadTo('getFileContent', { path: { ...path, file_id: fileId }, to })
      assert.ok(files[index]?.equals(await readFile(to)))
    }
  })

  it('both failures occurred, and for each kind of change a response was lost', () => {
    metBothErrors(journey)
    for (const change of [/^POST .*workspaces$/, /^DELETE .*cancel-workspace$/, /^POST .*files$/]) {
      assert.ok(
        journey.proxy.lost.some((one) => change.test(one)),
        `${change}`,
      )
    }
  })
})
