import type { Input, Result } from '../../../client/src/index.ts'
import { misused } from '../failure.ts'
import { withExamples } from '../program.ts'
import { sandboxOf } from '../sandbox.ts'
import type { Session } from '../session.ts'
import { durationOf } from '../since.ts'
import type { Define } from '../table.ts'

const SHOWN_MAX = 10

export const define: Define = (command, run) => {
  command.description('Shows or moves the clock of a sandbox, and says what ran. It goes forward only.')
  command
    .argument('[how]', 'advance, next or set')
    .argument('[value]', 'for advance: P3D, PT1H, 3d, 1h; for set: a time such as 2026-12-01T09:00:00Z')
  withExamples(command, [
    ['lodgeway clock', 'what time it is, and what falls due'],
    ['lodgeway clock next', 'to the next thing that falls due'],
    ['lodgeway clock advance P3D', 'three days'],
    ['lodgeway clock set 2030-01-02T09:00:00Z', ''],
  ]).action(
    run(async (session, how: string | undefined, value: string | undefined) => {
      const client = await sandboxOf(session)
      if (how === undefined) {
        const [{ now }, { records }] = [await client.getClock(), await client.listDue()]
        if (session.json) return session.print.json({ now, due: records })
        session.print.line(now)
        return showDue(session, records, 'Nothing falls due.')
      }
      const moved = await client.moveClock({ body: moveOf(how, value) })
      if (session.json) return session.print.json(moved)
      session.print.line(`The clock is at ${moved.now}. ${counted(moved.ran)} ran.`)
      showDue(session, moved.due, 'Nothing fell due.')
    }),
  )
}

function moveOf(how: string, value: string | undefined): Input<'moveClock'>['body'] {
  if (how === 'next' && value === undefined) return { to: 'next' }
  if (how === 'advance' && value !== undefined) {
    const ms = durationOf(value)
    return { advance: ms === undefined ? value : `PT${ms / 1_000}S` }
  }
  if (how === 'set' && value !== undefined) return { set: value }
  throw misused('Say `clock next`, `clock advance P3D` or `clock set 2026-12-01T09:00:00Z`.')
}

const counted = (jobs: number): string => (jobs === 1 ? '1 job' : `${jobs} jobs`)

function showDue({ print }: Session, due: Result<'listDue'>['records'], empty: string) {
  if (due.length === 0) return print.line(empty)
  const rows = due.slice(0, SHOWN_MAX).map(({ at, job, reference = '', message }) => [at, reference, message ?? job])
  print.table(['due', 'matter', 'what'], rows)
  if (due.length > SHOWN_MAX) print.line(`and ${due.length - SHOWN_MAX} more`)
}
