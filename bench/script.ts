import type { Script } from './pgbench.ts'
import type { Sent } from './recorder.ts'

// Turns recorded statements into a script of pgbench: the same SQL and values in the same round trips, with ids of its own.

const IDS = /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|LW\d{9})/
const NEW_IDS = 1_000_000_000_000_000

/** A text as SQL: the ids in it for which there is SQL are replaced, and `literal` writes the rest. */
export function spliced(
  text: string,
  sqlOf: (id: string) => string | undefined,
  literal: (text: string) => string,
): string {
  const parts: string[] = []
  let plain = ''
  for (const part of text.split(IDS)) {
    const sql = sqlOf(part)
    if (sql === undefined) plain += part
    else {
      if (plain) parts.push(literal(plain))
      parts.push(sql)
      plain = ''
    }
  }
  if (plain || !parts.length) parts.push(literal(plain))
  return parts.join(' || ')
}

/**
 * Transactions and single statements, each whole, in the order in which they began: they come from several connections.
 * Left out is what the service sends once for many changes, that is wake-up calls and the publishing of events, and what it
 * sends without work, too.
 */
export function unitsOf(sent: readonly Sent[], idle: readonly Sent[] = []): Sent[][] {
  const idleTexts = new Set(idle.map(({ text }) => text))
  const open = new Map<number, Sent[]>()
  const units: Sent[][] = []
  for (const one of sent) {
    const unit = open.get(one.connection) ?? []
    if (!unit.length) units.push(unit)
    unit.push(one)
    const isWithin = unit[0]?.text === 'begin' && !/^(commit|rollback)$/i.test(one.text)
    if (isWithin) open.set(one.connection, unit)
    else open.delete(one.connection)
  }
  const isOwn = ({ text }: Sent) => !(FRAME.test(text) || WAKE_UP.test(text) || idleTexts.has(text))
  return units.filter((unit) => unit.some(isOwn) && !unit.some(({ text }) => ONE_AT_A_TIME.test(text)))
}

const FRAME = /^(begin|commit|rollback)$|pg_current_xact_id/i
const ONE_AT_A_TIME = /\bpg_advisory_xact_lock\(/
const WAKE_UP = /^select set_config\('synchronous_commit'|^listen/i

export type ScriptOptions = {
  /** The types of the parameters of a statement. */
  types: ReadonlyMap<string, readonly string[]>
  /** SQL for an id that belongs to the number `:n`, and 'same' for one that stays as it is. Any other is a new one. */
  sqlOf: (id: string) => string | 'same' | undefined
  /** The numbers that `:n` is taken from. */
  numbers: readonly [from: number, to: number]
}

export function scriptOf(units: readonly (readonly Sent[])[], { types, sqlOf, numbers }: ScriptOptions): Script {
  const variables: Record<string, string> = {}
  const fresh = new Map<string, string>()
  const newId = (id: string): string => {
    if (!fresh.has(id)) fresh.set(id, id.startsWith('LW') ? `('LW' || :k)` : `md5('${fresh.size}/' || :k)::uuid::text`)
    return fresh.get(id) ?? ''
  }
  const idSql = (part: string) => {
    if (!IDS.test(part)) return undefined
    const sql = sqlOf(part)
    return sql === 'same' ? undefined : (sql ?? newId(part))
  }
  const variable = (text: string) => {
    const name = `v${Object.keys(variables).length}`
    variables[name] = text
    return `:${name}`
  }
  const lineOf = ({ text, values }: Sent) => {
    const given = values.map((value, index) => {
      const type = types.get(text)?.[index] ?? 'text'
      return value === null ? `null::${type}` : `(${spliced(value, idSql, variable)})::${type}`
    })
    const sql = text.trim().replaceAll(/\$(\d+)/g, (_, number) => given[Number(number) - 1] ?? '')
    return `${sql.replace(/;$/, '')};`
  }
  const lines = units.flatMap((unit) =>
    tripsOf(unit).flatMap((trip) =>
      trip.length > 1 ? ['\\startpipeline', ...trip.map(lineOf), '\\endpipeline'] : trip.map(lineOf),
    ),
  )
  const [from, to] = numbers
  const head = [`\\set n random(${from}, ${to})`, `\\set k random(1, ${NEW_IDS})`]
  return { text: [...head, ...lines, ''].join('\n'), variables }
}

function tripsOf(unit: readonly Sent[]): Sent[][] {
  const trips: Sent[][] = []
  for (const one of unit) {
    const last = trips.at(-1)
    if (last?.[0]?.trip === one.trip) last.push(one)
    else trips.push([one])
  }
  return trips
}
