import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type TestService, testService } from '../../server/test/support/service.ts'
import { businessDay } from '../../server/test/support/settling.ts'
import { createClient, type Lodgeway } from '../src/index.ts'
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.ts'
import { anOrder, authorisedMatter } from './support/matters.ts'

// With one call in five answered 503, and one connection in ten lost after what was asked for was done.

const RETRY = { attempts: 20, firstMs: 2, longestMs: 20 }

let service: TestService
let proxy: FaultyProxy
let lender: Lodgeway
let firm: Lodgeway
let operator: Lodgeway
let folder: string

before(async () => {
  service = await testService()
  proxy = await startFaultyProxy({ target: service.url, seed: 42 })
  const as = (clientId: string, baseUrl = proxy.url) =>
    createClient({ baseUrl, clientId, clientSecret: `${clientId}-secret`, retry: RETRY })
  lender = as('sandbox-lender')
  firm = as('sandbox-law-firm')
  operator = as('nobody', service.url)
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-client-'))
})
after(async () => {
  await proxy.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('through a network that fails', () => {
  it('a remortgage goes from the order to the register, and each thing happens once', async () => {
    const workspaceId = await authorisedMatter({ lender, firm }, businessDay(service, 1))
    await operator.moveClock({ body: { advance: 'P14D' } })
    const { lodgementCaseId } = await firm.waitForCase({ workspaceId }, ['REGISTERED'])
    const path = { workspace_id: workspaceId }
    assert.equal((await lender.getWorkspace({ path })).status, 'CLOSED')

    const counts = { files: 0, representations: 0 }
    for await (const _ of firm.records('listFiles', { path })) counts.files += 1
    for await (const _ of firm.records('listRepresentations', { path })) counts.representations += 1
    assert.deepEqual(counts, { files: 1, representations: 2 })
    const { records } = await firm.getFinancialSettlementSchedules({ query: { workspace_id: workspaceId } })
    assert.deepEqual([records[0]?.lineItems.length, records[0]?.status], [2, 'SETTLED'])

    const to = join(folder, 'title.pdf')
    await firm.downloadTo('getLodgementDocument', {
      path: { lodgement_case_id: lodgementCaseId },
      query: { document_type: 'TITLE_INFORMATION_DOCUMENT' },
      to,
    })
    assert.match(await readFile(to, 'latin1'), /^%PDF-1\.[\s\S]*%%EOF\s*$/)
  })

  it('twenty orders make twenty workspaces, and twenty cancellations succeed', async () => {
    const references = Array.from({ length: 20 }, (_, index) => `PROXY-${index}`)
    const created = await Promise.all(
      references.map((reference) => lender.createRemortgageWorkspace({ body: anOrder(undefined, reference) })),
    )
    const found: string[] = []
    for await (const { reference } of lender.records('listWorkspaces', { query: { limit: 7 } })) {
      if (reference.startsWith('PROXY-')) found.push(reference)
    }
    assert.deepEqual(found.sort(), references.sort())
    const body = { cancellationReason: 'OTHER', cancellationNotesForOther: 'A test' } as const
    const cancelled = await Promise.all(
      created.map(({ workspaceId }) => lender.cancelWorkspace({ path: { workspace_id: workspaceId }, body })),
    )
    assert.ok(cancelled.every(({ status }) => status === 'CANCELLED'))
  })

  it('both faults were met', () => {
    assert.ok(proxy.counts.refused > 5 && proxy.counts.dropped > 2, JSON.stringify(proxy.counts))
  })
})
