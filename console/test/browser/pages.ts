// Long because every page and each of its states is in one table, with what it needs.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { computeFigures } from '../../../server/src/figures/compute.ts'
import { manualPayments } from '../../../server/src/manual-payments/manual.ts'
import { addInvitation, addPerson } from '../../../server/src/people/manage.ts'
import { patchDeed, unapprove } from '../../../server/test/fixtures/approvals.ts'
import { listFiles } from '../../../server/test/fixtures/documents.ts'
import { eventually } from '../../../server/test/fixtures/eventually.ts'
import { aReadyCase, aSentCase } from '../../../server/test/fixtures/lodging.ts'
import { anAuthorised, pay } from '../../../server/test/fixtures/payments.ts'
import { aBalancedSchedule, aPreparedMatter } from '../../../server/test/fixtures/schedules.ts'
import { PARTNER } from '../../../server/test/fixtures/service.ts'
import { aRegistration, deliveriesOf } from '../../../server/test/fixtures/webhooks.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  FIRM_ID,
  move,
  readCase,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../../server/test/fixtures/workspaces.ts'
import { routesOf } from '../../src/routes.ts'
import { violationsOf } from './axe.ts'
import { openPage, type Watched } from './browser.ts'
import { costOf, type Figures, overBudget, worstOf } from './budget.ts'
import type { Page } from './playwright.ts'
import { aMisspelling, signInAs, type World } from './world.ts'

type Places = Record<
  | 'misspelt'
  | 'several'
  | 'ready'
  | 'sent'
  | 'paying'
  | 'deed'
  | 'file'
  | 'waiting'
  | 'failed'
  | 'odd'
  | 'changed'
  | 'prepared'
  | 'completionDate'
  | 'partyId'
  | 'answer'
  | 'invitation'
  | 'request'
  | 'registration'
  | 'delivery'
  | 'run',
  string
>

const TYPES = ['WORKSPACE_PARTICIPANT_ADDED', 'TITLE_DATA_RECEIVED']

const RUN_MS_MAX = 60_000
const DAY_MS = 86_400_000
const CONFIRM = 'confirm?rule=security-address-matches-register&field=securityAddress'

/** Each page and each of its states that looks different: who opens it, and its address. */
const PAGES: Record<string, [who: string, address: (places: Places) => string]> = {
  'sign in': ['', () => '/sign-in'],
  invitation: ['', ({ invitation }) => invitation.replace('/console', '')],
  'refused sign-in': ['', () => '/signed-in'],
  'signed out': ['', () => '/out'],
  worklist: ['Sam Reid', () => '/'],
  'empty worklist': ['Lee Hart', () => '/'],
  matters: ['Sam Reid', () => '/matters'],
  'search without a result': ['Sam Reid', () => '/matters?q=nowhere'],
  completions: ['Sam Reid', () => '/completions'],
  'completions of a Saturday': ['Kim Adair', () => '/completions?day=2026-12-05'],
  'completions of a full day': ['Kim Adair', ({ completionDate }) => `/completions?day=${completionDate}`],
  matter: ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}`],
  'matter of the lender': ['Pat Lowe', ({ several }) => `/matters/${several}`],
  names: ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/names`],
  'preview of an answer': ['Sam Reid', ({ misspelt, answer }) => `/matters/${misspelt}/names?answer=${answer}`],
  'names without counterparts': ['Sam Reid', ({ several }) => `/matters/${several}/names`],
  title: ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/title`],
  'no title': ['Sam Reid', ({ waiting }) => `/matters/${waiting}/title`],
  'failed title': ['Sam Reid', ({ failed }) => `/matters/${failed}/title`],
  'removal of a title': ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/title?remove=yes`],
  representation: ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/representation`],
  'representation of a party': [
    'Sam Reid',
    ({ misspelt, partyId }) => `/matters/${misspelt}/representation?party=${partyId}`,
  ],
  money: ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/money`],
  'money with lines': ['Sam Reid', ({ ready }) => `/matters/${ready}/money`],
  'money of the lender': ['Pat Lowe', ({ ready }) => `/matters/${ready}/money`],
  receipt: ['Sam Reid', ({ sent }) => `/matters/${sent}/money`],
  payments: ['Jo Marsh', ({ paying }) => `/matters/${paying}/pay`],
  case: ['Sam Reid', ({ ready }) => `/matters/${ready}/case`],
  'case at the registry': ['Sam Reid', ({ sent }) => `/matters/${sent}/case`],
  'particulars of the deed': ['Sam Reid', ({ ready, deed }) => `/matters/${ready}/case?application=${deed}`],
  'upload to an application': ['Sam Reid', ({ ready, deed }) => `/matters/${ready}/files?application=${deed}`],
  files: ['Sam Reid', ({ ready }) => `/matters/${ready}/files`],
  'withdrawal of a file': ['Sam Reid', ({ ready, file }) => `/matters/${ready}/files?withdraw=${file}`],
  requisition: ['Sam Reid', ({ sent }) => `/matters/${sent}/requisition`],
  'no requisition': ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/requisition`],
  order: ['Pat Lowe', () => '/matters/new'],
  'correction of an order': ['Pat Lowe', ({ misspelt }) => `/matters/${misspelt}/order`],
  cancellation: ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/cancel`],
  confirmation: ['Jo Marsh', ({ odd }) => `/matters/${odd}/${CONFIRM}`],
  'approval of what was changed': ['Jo Marsh', ({ changed }) => `/matters/${changed}/approve`],
  'approval of what is not ready': ['Sam Reid', ({ misspelt }) => `/matters/${misspelt}/approve`],
  authorisation: ['Kim Adair', ({ prepared }) => `/matters/${prepared}/authorise`],
  'withdrawal of an approval': ['Jo Marsh', ({ misspelt }) => `/matters/${misspelt}/unapprove`],
  requests: ['Robin Vale', () => '/requests'],
  'requests without a result': ['Robin Vale', () => '/requests?client_id=nobody'],
  'request that was refused': ['Robin Vale', ({ request }) => `/requests/${request}`],
  'errors of requests': ['Robin Vale', () => '/requests/errors'],
  figures: ['Sam Reid', () => '/figures'],
  reports: ['Sam Reid', () => '/reports'],
  'no such report': ['Sam Reid', () => '/reports/report-workspacesummary-todate?date=2020-01-01'],
  'figures of all': ['Toni Grant', () => '/admin/figures'],
  deliveries: ['Robin Vale', () => '/deliveries'],
  'retry of deliveries': ['Robin Vale', () => '/deliveries?retry=yes'],
  delivery: ['Robin Vale', ({ delivery }) => `/deliveries/${delivery}`],
  registrations: ['Robin Vale', () => '/deliveries/registrations'],
  listeners: ['Robin Vale', () => '/deliveries/listeners'],
  'rotation of a secret': ['Robin Vale', ({ registration }) => `/deliveries/registrations?rotate=${registration}`],
  'check of a signature': ['Robin Vale', ({ delivery }) => `/deliveries/signature?delivery=${delivery}`],
  sandbox: ['Robin Vale', () => '/sandbox'],
  'run of a scenario': ['Robin Vale', ({ run }) => `/sandbox/${run}`],
  help: ['Sam Reid', () => '/help'],
  me: ['Sam Reid', () => '/me'],
  admin: ['Toni Grant', () => '/admin'],
  subscribers: ['Toni Grant', () => '/admin/subscribers'],
  subscriber: ['Toni Grant', () => `/admin/subscribers/${FIRM_ID}`],
  client: ['Toni Grant', () => '/admin/clients/sandbox-law-firm'],
  people: ['Toni Grant', () => '/admin/people'],
  person: ['Toni Grant', () => '/admin/people/30000000-0000-4000-8000-000000000001'],
  'dead jobs': ['Toni Grant', () => '/admin/jobs'],
  audit: ['Toni Grant', () => '/admin/audit'],
  'nothing there': ['Sam Reid', () => `/matters/${UNKNOWN_ID}`],
  forbidden: ['Toni Grant', () => '/matters'],
}

/** They lead elsewhere, or send something else than a page. */
const NO_PAGES = [
  '/console/sign-in/provider',
  '/console/step-up',
  '/console/live',
  '/console/matters/:id/files/:file',
  '/console/matters/:id/evidence',
  '/console/matters/:id/pay/:format',
  '/console/figures/:name',
  '/console/admin/figures/:name',
]

/** Every page is accessible, within its budget, and asks nobody else for anything. */
export function pageTests(world: () => World): void {
  /** One for each person. */
  const pages = new Map<string, Promise<Page>>()
  const watched: Watched = { outside: [], problems: [] }
  const costs: Figures[] = []
  let places: Places
  before(async () => {
    places = await placesOf(world())
  })

  const pageOf = (who: string) => {
    const known = pages.get(who) ?? open(who)
    pages.set(who, known)
    return known
  }
  const open = async (who: string) => {
    const { browser, service } = world()
    const { page, context } = await openPage(browser, service.url, { viewport: { width: 1280, height: 860 } }, watched)
    if (who) await signInAs(context, who)
    return page
  }

  for (const [what, [who, address]] of Object.entries(PAGES)) {
    it(`the page "${what}" is accessible and within its budget`, async () => {
      const page = await pageOf(who)
      const figures = await costOf(page, `/console${address(places)}`)
      assert.deepEqual(overBudget(figures), [])
      costs.push(figures)
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      assert.deepEqual(await violationsOf(page), [])
    })
  }

  it('these are all pages; none asked anybody else for anything, or complained', async (test) => {
    test.diagnostic(`the worst of ${costs.length} pages: ${worstOf(costs)}`)
    const opened = Object.values(PAGES).map(([, address]) => `/console${address(places)}`.split('?')[0] ?? '')
    const live = { page: { show: async () => new Response() }, stop() {} }
    const paths = routesOf(live).map(({ path }) => path)
    const missing = paths.filter((path) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
      return !NO_PAGES.includes(path) && !opened.some((one) => pattern.test(one))
    })
    assert.deepEqual(missing, [])
    for (const page of pages.values()) await (await page).context().close()
    assert.deepEqual(watched, { outside: [], problems: [] })
  })
}

async function placesOf(world: World): Promise<Places> {
  const { service } = world
  const { registrationId: registration } = await aRegistration(service, 'http://127.0.0.1:1/hooks', TYPES, FIRM)
  const misspelt = (await aMisspelling(world)).workspaceId
  const [first, second] = (await readWorkspace(service, misspelt, FIRM)).parties
  const several = [aBorrower('William'), aBorrower('Oliver', 'Hart'), aBorrower('Ada', 'Dove')]
  const prepared = await aPreparedMatter(service)
  const actor = { correlationId: 'test', at: new Date() }
  const someone = { name: 'Wyn Ellis', email: 'wyn.ellis@harbour.example', roles: ['viewer'], subscriberId: FIRM_ID }
  const { body } = await service.call<{ unmatchedProprietors: { proprietorId: string }[] }>(
    'GET',
    `/partner/api/platformconnect/v1/workspaces/${misspelt}/title-reconciliation`,
    FIRM,
  )
  const ready = await aReadyCase(service)
  await aBalancedSchedule(service, ready)
  const sent = await aSentCase(service, 'RQ100001')
  await move(service, 'P4D')
  const paying = await anAuthorised(service)
  await pay(service, paying, manualPayments)
  const { applications } = await readCase(service, ready)
  await drain(service)
  await computeFigures(service.deps.db, new Date(service.deps.clock.now().getTime() + DAY_MS))
  const [delivery] = await deliveriesOf(service, { registrationId: registration }, FIRM)
  return {
    request: await aRefusedRequest(service, misspelt),
    registration,
    delivery: delivery?.notificationId ?? '',
    misspelt,
    ready,
    sent,
    paying: paying.workspaceId,
    deed: applications.find(({ applicationType }) => applicationType === 'MORTGAGE_DEED')?.applicationId ?? '',
    file: (await listFiles(service, ready))[0]?.fileId ?? '',
    several: (await aSearchedWorkspace(service, 'ST500681', several)).workspaceId,
    waiting: (await aWorkspace(service)).workspaceId,
    failed: (await aSearchedWorkspace(service, 'NF100001')).workspaceId,
    changed: await aChangedMatter(service),
    prepared: prepared.workspaceId,
    completionDate: prepared.completionDate,
    odd: (await aSearchedWorkspace(service, 'AD100001', [aBorrower('Lewis', 'Carver')])).workspaceId,
    partyId: first?.partyId ?? '',
    answer: `name-changed.${second?.partyId}.${body.unmatchedProprietors[0]?.proprietorId}`,
    run: await aRun(service),
    invitation: await service.deps.db.transaction(async (tx) => addInvitation(tx, await addPerson(tx, someone, actor))),
  }
}

/** The id of a call in the log. */
async function aRefusedRequest(service: World['service'], workspaceId: string): Promise<string> {
  const json = { titleNumber: 'ST500679', colour: 'blue' }
  await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json })
  let id: string | undefined
  await eventually(async () => {
    const path = `${PARTNER}/requests?status=4xx&operation=addTitle`
    const { body } = await service.call<{ records: { requestId: string }[] }>('GET', path, FIRM)
    id = body.records[0]?.requestId
    return id !== undefined
  })
  return id ?? ''
}

async function aRun(service: World['service']): Promise<string> {
  const { body } = await service.call('POST', '/sandbox/v1/scenarios/cancelled', { json: {} })
  const path = `/sandbox/v1/scenarios/runs/${body['runId']}`
  await eventually(async () => (await service.call('GET', path)).body['status'] === 'DONE', RUN_MS_MAX)
  return String(body['runId'])
}

/** One that was approved, and then changed. */
async function aChangedMatter(service: World['service']): Promise<string> {
  const { workspaceId } = await aPreparedMatter(service)
  await unapprove(service, workspaceId)
  await patchDeed(service, workspaceId, { transactionValue: 206_000.5 })
  return workspaceId
}
