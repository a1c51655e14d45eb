import type { Db, Transaction } from '../server/src/platform/database/db.ts'
import type { Script } from './pgbench.ts'
import { CALLERS, subscriberIdSql } from './testbed.ts'

// Records the statements of a piece of work while it runs once, for pgbench: the same SQL with the same parameters, also
// when the code that sends them changes.

export type Statement = { text: string; values: readonly unknown[] }

export async function statementsOf(db: Db, work: (tx: Transaction) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const note = (text: string, values: readonly unknown[] = []) => void statements.push({ text, values })
  await db.transaction((tx) =>
    work({
      query: (text, values) => {
        note(text, values)
        return tx.query(text, values)
      },
      send: (text, values) => {
        note(text, values)
        tx.send(text, values)
      },
      notify: (channel) => tx.notify(channel),
    }),
  )
  return statements
}

/** `pipelined`: all of a transaction in one round trip, as the service sends it. */
export type ScriptOptions = { subscriberId: string; pipelined: boolean }

/** One transaction of a random subscriber. Every id but the subscriber's is a new one each time. */
export function scriptOf(statements: readonly Statement[], { subscriberId, pipelined }: ScriptOptions): Script {
  const variables: Record<string, string> = {}
  const parameter = (value: unknown): string => {
    if (value === null) return 'null'
    if (value === subscriberId) return subscriberIdSql(':subscriber')
    if (typeof value === 'string' && UUID.test(value)) return 'gen_random_uuid()'
    if (Array.isArray(value)) return `array[${value.map(parameter).join(', ')}]`
    const name = `v${Object.keys(variables).length}`
    variables[name] = value instanceof Date ? value.toISOString() : String(value)
    return `:${name}`
  }
  const lines = statements.map(({ text, values }) => {
    const inserted = values.map(parameter)
    return `${text.trim().replaceAll(/\$(\d+)/g, (_, number) => inserted[Number(number) - 1] ?? '')};`
  })
  const script = ['begin;', ...lines, 'commit;']
  const sent = pipelined ? ['\\startpipeline', ...script, '\\endpipeline'] : script
  return { text: [`\\set subscriber random(1, ${CALLERS})`, ...sent, ''].join('\n'), variables }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
