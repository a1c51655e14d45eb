import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, fetch as undiciFetch } from 'undici'
import { createClient, isApiError, type Lodgeway } from '../../../../client/src/index.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { aPdf } from '../../fixtures/multipart.ts'
import { anOrder } from '../../journeys/steps.ts'
import type { Asked, Attempt, Kind } from './history.ts'

// Mixed work of a lender and a law firm, through the client, at a steady pace, however long each call takes.

/** In percent. */
const SHARES: Record<Kind, number> = {
  create: 16,
  represent: 16,
  update: 14,
  upload: 8,
  read: 22,
  list: 10,
  download: 6,
  events: 8,
}
/** These calls are not repeated by the client, so that what each answer promises can be checked. */
const ONCE_SHARE = 0.3
const WORKSPACES_MAX = 500
const TITLE = 'ST500678'

type Workspace = { workspaceId: string; partyIds: string[]; fileIds: string[] }
type Pair = { lender: Lodgeway; firm: Lodgeway }

export type Load = {
  asked: readonly Asked[]
  /** Sends nothing new, and waits for what is under way. */
  stop(): Promise<void>
}

export type Partners = { firmId: string; lender: Credentials; firm: Credentials }
type Credentials = { clientId: string; clientSecret: string }

export async function addPartners({ command }: Pick<Cluster, 'command'>): Promise<Partners> {
  const subscriber = async (name: string, kind: string) =>
    printed(await command('subscriber', 'add', '--name', name, '--kind', kind, '--reports', 'off'), 'subscriberId')
  const client = async (subscriberId: string): Promise<Credentials> => {
    const output = await command('client', 'add', subscriberId)
    return { clientId: printed(output, 'client id'), clientSecret: printed(output, 'secret') }
  }
  const lenderId = await subscriber('Proof Bank', 'lender')
  const firmId = await subscriber('Proof Law', 'law-firm')
  return { firmId, lender: await client(lenderId), firm: await client(firmId) }
}

const printed = (output: string, name: string): string => new RegExp(`^${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? ''

/** Without a certificate, where TLS does not end in front. */
type Served = Pick<Cluster, 'url'> & Partial<Pick<Cluster, 'certificate'>>

export async function startLoad(
  cluster: Served,
  partners: Partners,
  perSecond: number,
  onceShare = ONCE_SHARE,
): Promise<Load> {
  const asked = new Map<string, Asked>()
  const fetch = await recordingFetch(cluster, asked)
  const pairOf = (retry: { attempts?: number }): Pair => ({
    lender: createClient({ baseUrl: cluster.url, ...partners.lender, fetch, retry }),
    firm: createClient({ baseUrl: cluster.url, ...partners.firm, fetch, retry }),
  })
  const [patient, once] = [pairOf({}), pairOf({ attempts: 1 })]
  const workspaces: Workspace[] = []
  const calls = callsOf(workspaces, partners.firmId)
  const underWay = new Set<Promise<void>>()
  let isOver = false

  function ask(kind: Kind): void {
    const one: Asked = { id: randomUUID(), kind, attempts: [], end: 'under way' }
    asked.set(one.id, one)
    const asking = calls[kind](Math.random() < onceShare ? once : patient, one.id).then(
      () => {
        one.end = 'done'
      },
      (error: Error) => {
        one.end = 'failed'
        one.message = error.message
      },
    )
    const ended: Promise<void> = asking.finally(() => underWay.delete(ended))
    underWay.add(ended)
  }

  while (workspaces.length < 10) {
    ask('create')
    await Promise.all(underWay)
  }
  const pace = async () => {
    const startedAt = performance.now()
    for (let sent = 0; !isOver; sent++) {
      ask(anyKind())
      await delay(Math.max(0, startedAt + (sent * 1_000) / perSecond - performance.now()))
    }
  }
  const pacing = pace()
  return {
    get asked() {
      return [...asked.values()]
    },
    async stop() {
      isOver = true
      await pacing
      await Promise.all(underWay)
    },
  }
}

function anyKind(): Kind {
  let left = Math.random() * 100
  for (const [kind, share] of Object.entries(SHARES)) {
    left -= share
    if (left < 0) return kind as Kind
  }
  return 'read'
}

const one = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

function callsOf(workspaces: Workspace[], firmId: string) {
  const path = () => ({ path: { workspace_id: one(workspaces).workspaceId } })
  const calls: Record<Kind, (pair: Pair, correlationId: string) => Promise<unknown>> = {
    async create({ lender }, correlationId) {
      const order = anOrder({ titleNumber: TITLE, reference: correlationId.slice(0, 25) })
      const parties = order.parties.map((party) => ({
        ...party,
        participants: [{ id: firmId, role: 'CONVEYANCER' as const }],
      }))
      const { workspaceId } = await lender.createRemortgageWorkspace({ body: { ...order, parties }, correlationId })
      const found = await lender.getWorkspace({ path: { workspace_id: workspaceId } })
      if (workspaces.length >= WORKSPACES_MAX) workspaces.shift()
      workspaces.push({ workspaceId, partyIds: found.parties.map(({ partyId }) => partyId), fileIds: [] })
    },
    represent({ firm }, correlationId) {
      const { workspaceId, partyIds } = one(workspaces)
      const body = { partyId: one(partyIds), representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' as const }
      return firm.addRepresentation({ path: { workspace_id: workspaceId }, body, correlationId })
    },
    update: ({ lender }, correlationId) =>
      lender.updateWorkspace({ ...path(), body: { reference: correlationId.slice(0, 25) }, correlationId }),
    async upload({ firm }, correlationId) {
      const workspace = one(workspaces)
      const { fileId } = await firm.upload('uploadFile', {
        path: { workspace_id: workspace.workspaceId },
        fields: { documentType: 'CORRESPONDENCE', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' },
        file: aPdf(correlationId),
        correlationId,
      })
      workspace.fileIds.push(fileId)
    },
    read: ({ lender }, correlationId) => lender.getWorkspace({ ...path(), correlationId }),
    list: ({ firm }, correlationId) => firm.listWorkspaces({ query: { limit: 20 }, correlationId }),
    async download({ firm }, correlationId) {
      const { workspaceId, fileIds } = one(workspaces)
      const fileId = one(fileIds)
      if (!fileId) return
      const input = { path: { workspace_id: workspaceId, file_id: fileId }, correlationId }
      const download = await firm.download('getFileContent', input).catch((error) => {
        if (!isApiError(error, 409)) throw error // it is not processed yet
      })
      for await (const _ of download?.stream ?? []); // its checksum is verified at its end
    },
    events: ({ firm }, correlationId) => firm.readEvents({ query: { limit: 50 }, correlationId }),
  }
  return calls
}

/** Trusts the certificate of the cluster, and notes each attempt. */
async function recordingFetch({ certificate }: Served, asked: ReadonlyMap<string, Asked>): Promise<typeof fetch> {
  const dispatcher = new Agent(certificate ? { connect: { ca: await readFile(certificate, 'utf8') } } : {})
  const send = undiciFetch as unknown as (input: unknown, init: object) => Promise<Response>
  return async (input, init) => {
    const attempt: Attempt = { startedAt: performance.now(), endedAt: Number.NaN, answer: 'unknown' }
    const id = new Headers(init?.headers).get('x-request-correlation-id') ?? ''
    asked.get(id)?.attempts.push(attempt)
    try {
      const response = await send(input, { ...init, dispatcher })
      if (!isUnknown(response)) attempt.answer = { status: response.status }
      return response
    } finally {
      attempt.endedAt = performance.now()
    }
  }
}

/** The service says so, or the answer is not the service's own. */
const isUnknown = ({ status, headers }: Response): boolean =>
  headers.get('x-outcome') === 'unknown' || status === 502 || status === 504
