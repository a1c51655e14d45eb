import { setTimeout as delay } from 'node:timers/promises'
import type { Lodgeway, Schemas } from '../../client/src/index.ts'
import { claimsOf } from './own-side.ts'
import type { Print } from './print.ts'
import type { Connection } from './session.ts'
import { daysBetween, shortDate, shortTime } from './time.ts'
import { STATUSES, TASKS, TURNS } from './words.ts'

// A workspace on one screen.

export type Matter = {
  workspace: Schemas['Workspace']
  readiness: Schemas['ReadinessRecord'][]
  timeline: Schemas['TimelineRecord'][]
  plan: Schemas['PlanRecord'][]
  /** The kind of the caller. */
  own: 'LENDER' | 'LAW_FIRM' | undefined
  /** The version that was read. */
  etag: string
}

const TIMELINE_SHOWN = 8
const POLL_MS = 1_000

export async function readMatter(connection: Connection, id: string): Promise<Matter> {
  const [client, token] = await Promise.all([connection.client(), connection.token()])
  const path = { workspace_id: id }
  const [{ data: workspace, etag = '' }, readiness, timeline, plan] = await Promise.all([
    client.call('getWorkspace', { path }),
    allOf(client, 'getWorkspaceReadiness', id),
    allOf(client, 'getTimeline', id),
    client.getPlan({ path }),
  ])
  const { subscriber_id: subscriberId } = claimsOf(token)
  const role = workspace.participants.find((one) => one.subscriberId === subscriberId)?.role
  return {
    workspace,
    readiness: readiness as Matter['readiness'],
    timeline: timeline as Matter['timeline'],
    plan: plan.records,
    own: role && (role === 'LENDER' ? 'LENDER' : 'LAW_FIRM'),
    etag,
  }
}

async function allOf(client: Lodgeway, operation: 'getWorkspaceReadiness' | 'getTimeline', id: string) {
  const records: unknown[] = []
  for await (const one of client.records(operation, { path: { workspace_id: id }, query: { limit: 100 } }))
    records.push(one)
  return records
}

/** The matter whenever it is another one than this, until the signal. */
export async function* changesOf(connection: Connection, seen: Matter, signal: AbortSignal): AsyncGenerator<Matter> {
  const client = await connection.client()
  const { workspaceId } = seen.workspace
  let { etag } = seen
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const answer = await client.call('getWorkspace', { path: { workspace_id: workspaceId }, ifNoneMatch: etag })
    if (answer.status === 304) continue
    const matter = await readMatter(connection, workspaceId)
    etag = matter.etag
    yield matter
  }
}

export function linesOf(
  { workspace, readiness, timeline, plan, own }: Matter,
  paint: Print['paint'],
  now: Date,
  { all }: { all: boolean },
): string[] {
  const { reference, workspaceReferenceId, securityAddress, status, turn, ownReference } = workspace
  const name = [reference, ownReference].filter(Boolean).join(' / ')
  const shown = all ? timeline : timeline.slice(-TIMELINE_SHOWN)
  return [
    `${paint('bold', name)}  ${workspaceReferenceId}  ${addressLine(securityAddress)}  ${paint('cyan', STATUSES[status])}`,
    ...(turn ? turnLines(turn, own, reference, now).map((line) => paint('bold', line)) : []),
    ...readiness
      .filter(({ outcome }) => outcome === 'FAILED')
      .map((one) => `  ${paint('red', '✗')} ${one.field}: ${one.message}`),
    ...passedLine(readiness, paint),
    ...(plan.length ? ['', paint('dim', 'planned')] : []),
    ...plan.map(({ at, message }) => `  ${shortTime(at)}  ${message}`),
    ...(shown.length ? ['', paint('dim', 'timeline')] : []),
    ...(shown.length < timeline.length ? [`  … ${timeline.length - shown.length} earlier: --all shows them`] : []),
    ...shown.map(({ at, by, message }) => `  ${shortTime(at)}  ${message}  ${paint('dim', by)}`),
  ]
}

function turnLines(turn: Schemas['Turn'], own: Matter['own'], reference: string, now: Date): string[] {
  const whose = (who: Schemas['Turn']['who']) => (who === own ? 'you' : TURNS[who])
  const due = turn.dueAt ? `, due ${shortDate(turn.dueAt)}` : ''
  const days = daysBetween(turn.since, now)
  const since = days === 'now' ? '' : ` (for ${days}${due})`
  const open = turn.who === own ? `    lodgeway open ${reference}` : ''
  return [
    `→ ${whose(turn.who)}: ${TASKS[turn.task]}${since}${open}`,
    ...turn.also.map(({ who, task }) => `  also ${whose(who)}: ${TASKS[task]}`),
  ]
}

function passedLine(readiness: Matter['readiness'], paint: Print['paint']): string[] {
  const passed = readiness.filter(({ outcome }) => outcome === 'PASSED').length
  const confirmed = readiness.filter(({ outcome }) => outcome === 'CONFIRMED').length
  const parts = [passed && `${passed} rules pass`, confirmed && `${confirmed} confirmed by a person`].filter(Boolean)
  return parts.length ? [`  ${paint('green', '✓')} ${parts.join(', ')}`] : []
}

const addressLine = ({ flat, name, number, street, town, postcode }: Schemas['SecurityAddress']): string =>
  [flat && `Flat ${flat}`, name, [number, street].filter(Boolean).join(' '), town, postcode].filter(Boolean).join(', ')
