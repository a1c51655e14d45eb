import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startReceiver } from '../../server/test/fakes/receiver.ts'
import { aPdf } from '../../server/test/fixtures/multipart.ts'
import { type TestService, testService } from '../../server/test/fixtures/service.ts'
import { FIRM_ID, UNKNOWN_ID } from '../../server/test/fixtures/workspaces.ts'
import { anOrder } from '../../server/test/journeys/steps.ts'
import {
  type ApiError,
  createClient,
  isApiError,
  type Lodgeway,
  type OutcomeError,
  type TokenError,
} from '../src/index.ts'
import { verifyWebhook } from '../src/webhooks.ts'

// The client against the real service.

let service: TestService
let lender: Lodgeway
let firm: Lodgeway
let folder: string

before(async () => {
  service = await testService()
  const as = (clientId: string) => createClient({ baseUrl: service.url, clientId, clientSecret: `${clientId}-secret` })
  lender = as('sandbox-lender')
  firm = as('sandbox-law-firm')
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-client-'))
})
after(() => rm(folder, { recursive: true, force: true }))

describe('the client and the service', () => {
  it('create a workspace, wait for its title and read what happened', async () => {
    const created = await lender.createRemortgageWorkspace({ body: anOrder({ titleNumber: 'ST500678' }) })
    const { applications } = await firm.waitForTitleSearch(created)
    assert.deepEqual(applications.map(({ applicationType }) => applicationType).sort(), ['DISCHARGE', 'MORTGAGE_DEED'])
    const path = { workspace_id: created.workspaceId }
    const types: string[] = []
    for await (const { type } of firm.records('getTimeline', { path, query: { limit: 1 } })) types.push(type)
    assert.ok(types.includes('WORKSPACE_CREATED') && types.includes('TITLE_DATA_RECEIVED'))
  })

  it('say why a title was not found', async () => {
    const created = await lender.createRemortgageWorkspace({ body: anOrder({ titleNumber: 'DT501578' }) })
    await assert.rejects(firm.waitForTitleSearch(created), (error: OutcomeError) => error.reason === 'CLOSED')
  })

  it('add a representation and wait until it is active', async () => {
    const { workspaceId } = await lender.createRemortgageWorkspace({ body: anOrder({ titleNumber: 'ST500678' }) })
    const path = { workspace_id: workspaceId }
    const { parties } = await firm.getWorkspace({ path })
    for (const { partyId } of parties) {
      const body = { partyId, representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' } as const
      const { status, subscriberId } = await firm.waitForRepresentation(await firm.addRepresentation({ path, body }))
      assert.deepEqual([status, subscriberId], ['ACTIVE', FIRM_ID])
    }
  })

  it('upload a document, wait for its checks and download it', async () => {
    const { workspaceId } = await lender.createRemortgageWorkspace({ body: anOrder() })
    const path = { workspace_id: workspaceId }
    const content = aPdf('An offer')
    const fields = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' } as const
    const { fileId } = await lender.upload('uploadFile', {
      path,
      fields,
      file: content,
      fileName: 'Angebot für Jo.pdf',
    })
    const file = await lender.waitForFile({ workspaceId, fileId })
    const sha256 = createHash('sha256').update(content).digest('hex')
    assert.deepEqual([file.fileName, file.sha256], ['Angebot für Jo.pdf', sha256])
    const to = join(folder, 'offer.pdf')
    const saved = await lender.downloadTo('getFileContent', { path: { ...path, file_id: fileId }, to })
    assert.deepEqual([saved.fileName, saved.sha256], ['Angebot für Jo.pdf', sha256])
    assert.ok(content.equals(await readFile(to)))
  })

  it('refuse a file that is not a PDF, or too large, before all of it was sent', async () => {
    const { workspaceId } = await lender.createRemortgageWorkspace({ body: anOrder() })
    const fields = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' } as const
    const sent = (file: Uint8Array) =>
      lender.upload('uploadFile', { path: { workspace_id: workspaceId }, fields, file })
    await assert.rejects(sent(Buffer.from('no PDF')), (error: ApiError) => error.messageAt('file') !== undefined)
    await assert.rejects(sent(Buffer.alloc(43_000_000)), (error: ApiError) => error.status === 413)
  })

  it('change nothing when somebody else was faster', async () => {
    const created = await lender.createRemortgageWorkspace({ body: anOrder({ titleNumber: 'ST500678' }) })
    await firm.waitForTitleSearch(created)
    const path = { workspace_id: created.workspaceId }
    const { data, etag } = await firm.call('getTitleReconciliation', { path })
    assert.equal((await firm.call('getTitleReconciliation', { path, ifNoneMatch: etag ?? '' })).status, 304)
    const [party] = data.parties
    assert.ok(party)
    const { partyId, type } = party
    const rename = (surname: string) => ({
      path,
      ifMatch: etag,
      body: { action: 'UPDATE_PARTY_NAME', partyId, type, partyDetails: { forenames: 'Will', surname } } as never,
    })
    assert.equal((await firm.updateTitleReconciliation(rename('Prynne'))).action, 'UPDATE_PARTY_NAME')
    await assert.rejects(firm.updateTitleReconciliation(rename('Prinn')), (error) => isApiError(error, 412))
  })

  it('throw typed errors: not found, forbidden, invalid, wrong credentials', async () => {
    const statusOf = (error: unknown) => (isApiError(error) ? error.status : error)
    const unknown = { path: { workspace_id: UNKNOWN_ID } }
    assert.equal(await lender.getWorkspace(unknown).catch(statusOf), 404)
    assert.equal(await firm.createRemortgageWorkspace({ body: anOrder() }).catch(statusOf), 403)
    const wrong = { ...anOrder(), reference: '', parties: [] }
    await assert.rejects(lender.createRemortgageWorkspace({ body: wrong }), (error: ApiError) => {
      assert.deepEqual(error.errors.map(({ field }) => field).sort(), ['parties', 'reference'])
      return true
    })
    const stranger = createClient({ baseUrl: service.url, clientId: 'sandbox-lender', clientSecret: 'wrong' })
    await assert.rejects(stranger.listWorkspaces(), (error: TokenError) => error.code === 'invalid_client')
    const narrow = { clientId: 'sandbox-lender', clientSecret: 'sandbox-lender-secret', scope: 'x-api:view:reports' }
    assert.equal(
      await createClient({ baseUrl: service.url, ...narrow })
        .listWorkspaces()
        .catch(statusOf),
      403,
    )
  })

  it('deliver a webhook that verifies, and the same event in the feed', async () => {
    const receiver = await startReceiver()
    const body = { webhookURI: receiver.url, eventTypes: ['WORKSPACE_CANCELLED' as const] }
    const { sharedSecret: secret, registrationId } = await lender.createNotificationRegistration({ body })
    const { workspaceId } = await lender.createRemortgageWorkspace({ body: anOrder() })
    const cancellation = { cancellationReason: 'LENDER_DECIDED_NOT_TO_PROCEED' } as const
    const { status } = await lender.cancelWorkspace({ path: { workspace_id: workspaceId }, body: cancellation })
    assert.equal(status, 'CANCELLED')
    await receiver.until(1)
    const [received] = receiver.received
    assert.ok(received)
    const event = verifyWebhook({ secret, headers: received.headers, body: received.body })
    assert.ok(event.type === 'WORKSPACE_CANCELLED' && event.data.workspaceId === workspaceId)
    const feed: string[] = []
    for await (const { id } of lender.records('readEvents')) feed.push(id)
    assert.ok(feed.includes(event.id))
    await lender.deleteNotificationRegistration({ path: { registration_id: registrationId } })
    await receiver.stop()
  })
})
