import type { FeedEvent } from '../listen/place.ts'
import { withExamples } from '../program.ts'
import type { Session } from '../session.ts'
import { sinceOf } from '../since.ts'
import type { Define } from '../table.ts'

const SINCE = '1d'

export const define: Define = (command, run) => {
  command
    .description('Prints the feed: what happened in your matters, the oldest first.')
    .option('--follow', 'go on with what happens from now on')
    .option(
      '--since <when>',
      `from there: 10m, 2h, 1d, a cursor, or \`beginning\` (default: ${SINCE}; with --follow: now)`,
    )
  withExamples(command, [
    ['lodgeway events', ''],
    ['lodgeway events --since 1h --json', 'one event a line'],
    ['lodgeway events --follow', 'until Ctrl-C'],
  ]).action(
    run(async (session, { follow, since }: { follow?: true; since?: string }) => {
      const { terminal, connect } = session
      const client = await connect().client()
      const isFromNow = follow && since === undefined
      const { after, from } = isFromNow ? { after: 'now' } : await sinceOf(since ?? SINCE, connect(), terminal)
      const pages = follow
        ? client.follow({ after, signal: terminal.interrupted() })
        : client.pages('readEvents', { query: { limit: 100, ...(after && { after }) } })
      const first = from?.toISOString() ?? ''
      let count = 0
      for await (const { records } of pages) {
        for (const event of records.filter(({ timestamp }) => timestamp >= first)) {
          count += 1
          show(session, event)
        }
      }
      if (count === 0) session.print.note('Nothing happened in that time. `--since beginning` shows all there is.')
    }),
  )
}

function show({ print, json }: Session, event: FeedEvent) {
  if (json) return print.jsonLine(event)
  const { id, type, timestamp, data } = event
  const { reference = data.workspaceId?.slice(0, 8) ?? '–' } = data as Record<string, string | undefined>
  print.line(`${print.paint('dim', timestamp.slice(0, 19))}  ${type.padEnd(36)}  ${reference.padEnd(14)}  ${id}`)
}
