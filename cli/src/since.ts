import { misused } from './failure.ts'
import type { Connection } from './session.ts'
import type { Terminal } from './terminal.ts'

// `--since`: an age such as 10m, a cursor, or the beginning.

export type Since = { after?: string | undefined; from?: Date | undefined }

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const CURSOR = /^[\w-]{1,59}$/

/** 30s, 10m, 2h or 3d in milliseconds. */
export function durationOf(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return number ? Number(number) * (UNITS_MS[unit] ?? 0) : undefined
}

/** Where to start in the feed: after a cursor, or at the oldest event and without those before a time. */
export async function sinceOf(text: string, connection: Connection, terminal: Terminal): Promise<Since> {
  if (text === 'beginning') return {}
  const ageMs = durationOf(text)
  if (ageMs !== undefined) return { from: new Date((await timeOf(connection, terminal)).getTime() - ageMs) }
  if (!CURSOR.test(text))
    throw misused(`--since ${text}: expected an age such as 10m or 2h, a cursor, or \`beginning\`.`)
  return { after: text }
}

/** Events have the time of the service's clock, which a sandbox may have moved. */
async function timeOf(connection: Connection, terminal: Terminal): Promise<Date> {
  if (await connection.isLive()) return terminal.now()
  return new Date((await (await connection.client()).getClock()).now)
}
