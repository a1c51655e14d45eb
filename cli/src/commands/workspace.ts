import type { Command } from 'commander'
import type { Input, Schemas } from '../../../client/src/index.ts'
import { misused } from '../failure.ts'
import { changesOf, linesOf, type Matter, readMatter } from '../matter.ts'
import { ownSide } from '../own-side.ts'
import { withExamples } from '../program.ts'
import { findWorkspaceId } from '../reference.ts'
import type { Connection, Session } from '../session.ts'
import { nearest } from '../suggest.ts'
import type { Define, Run } from '../table.ts'
import { daysBetween, shortDate } from '../time.ts'
import { STATUSES, TASKS, TURNS } from '../words.ts'

type ListOptions = { turn?: string; status?: string; task?: string; search?: string; limit: string }
type Query = NonNullable<Input<'listWorkspaces'>['query']>

export const define: Define = (command, run) => {
  command.description('Workspaces: whose turn it is, what is missing, and what has happened.')
  defineList(command.command('list').summary('list workspaces'), run)
  defineShow(command.command('show').summary('show one on one screen'), run)
}

function defineList(command: Command, run: Run): void {
  command
    .description('Lists workspaces, newest first: status, whose turn it is, what for and since when.')
    .option('--turn <who>', `only those that wait for: us, ${Object.keys(TURNS).map(spelled).join(', ')}`)
    .option('--status <status>', `only those that are: ${Object.keys(STATUSES).map(spelled).join(', ')}`)
    .option('--task <task>', 'only those that wait for this: approve-case, give-title and so on')
    .option('--search <text>', 'only those whose reference, title, postcode or surname begins with it')
    .option('--limit <number>', 'how many at most: 1 to 100', '50')
  withExamples(command, [
    ['lodgeway workspace list --turn us', 'what you have to do'],
    ['lodgeway workspace list --turn registry --json', ''],
    ['lodgeway workspace list --search prynne', ''],
  ]).action(
    run(async ({ connect, print, json, terminal }, options: ListOptions) => {
      const connection = connect()
      const client = await connection.client()
      const page = await client.listWorkspaces({ query: await queryOf(connection, options) })
      if (json) return print.json(page)
      if (page.records.length === 0) return print.note('No workspace is like that.')
      const now = await clockOf(connection, terminal.now())
      print.table(
        ['reference', 'number', 'property', 'borrowers', 'status', 'turn', 'for', 'due'],
        page.records.map((one) => rowOf(one, now)),
      )
      if (page.nextCursor) print.note(`There are more: raise --limit, or narrow it down with --search.`)
    }),
  )
}

const rowOf = ({ turn, ...one }: Schemas['WorkspaceSummary'], now: Date): string[] => [
  one.reference,
  one.workspaceReferenceId,
  one.postcode,
  one.borrowers.join(', '),
  STATUSES[one.status],
  turn ? `${TURNS[turn.who]}: ${TASKS[turn.task]}` : '',
  turn ? daysBetween(turn.since, now) : '',
  turn?.dueAt ? shortDate(turn.dueAt) : '',
]

async function queryOf(connection: Connection, { turn, status, task, search, limit }: ListOptions): Promise<Query> {
  return {
    limit: Number(limit),
    ...(turn && { turn: turn === 'us' ? await ourKind(connection) : codeIn(turn, TURNS, '--turn') }),
    ...(status && { status: codeIn(status, STATUSES, '--status') }),
    ...(task && { task: codeIn(task, TASKS, '--task') }),
    ...(search && { q: search }),
  }
}

async function ourKind(connection: Connection): Promise<'LENDER' | 'LAW_FIRM'> {
  const { kind } = await ownSide(connection)
  if (!kind) throw misused('There is no workspace yet, so it is not known who you are. Give --turn lender or law-firm.')
  return kind
}

const spelled = (code: string): string => code.toLowerCase().replaceAll('_', '-')

/** `law-firm` and `LAW_FIRM` are the same. */
function codeIn<Code extends string>(typed: string, words: Record<Code, string>, option: string): Code {
  const codes = Object.keys(words) as Code[]
  const found = codes.find((code) => spelled(code) === spelled(typed))
  if (found) return found
  const suggestion = nearest(typed, codes.map(spelled))
  throw misused(
    `${option} must be one of ${codes.map(spelled).join(', ')}.${suggestion ? ` Did you mean ${suggestion}?` : ''}`,
  )
}

/** In the sandbox the clock may be moved. */
export async function clockOf(connection: Connection, now: Date): Promise<Date> {
  if (await connection.isLive()) return now
  return new Date((await (await connection.client()).getClock()).now)
}

function defineShow(command: Command, run: Run): void {
  command
    .description('Shows a workspace: whose turn it is, what is missing, and what has happened.')
    .argument('<ref>', 'its id, its LW number, its reference or your own')
    .option('--watch', 'show it again whenever it has changed, until Ctrl-C')
    .option('--all', 'the whole timeline, not its end alone')
  withExamples(command, [
    ['lodgeway workspace show NBS-1018', ''],
    ['lodgeway workspace show LW264170938 --watch', ''],
  ]).action(
    run(async (session, reference: string, { watch, all }: { watch?: boolean; all?: boolean }) => {
      const connection = session.connect()
      const id = await findWorkspaceId(await connection.client(), reference)
      const matter = await readMatter(connection, id)
      await show(session, connection, matter, { all: all === true })
      if (!watch) return
      const { stdout, interrupted } = session.terminal
      for await (const changed of changesOf(connection, matter, interrupted())) {
        if (stdout.isTTY) stdout.write('\x1b[2J\x1b[H')
        await show(session, connection, changed, { all: all === true })
      }
    }),
  )
}

async function show(
  { print, json, terminal }: Session,
  connection: Connection,
  matter: Matter,
  options: { all: boolean },
) {
  const { workspace, readiness, timeline, plan } = matter
  if (json) return print.jsonLine({ workspace, readiness, timeline, plan })
  const now = await clockOf(connection, terminal.now())
  for (const line of linesOf(matter, print.paint, now, options)) print.line(line)
}
