import { hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { asUnavailable } from './unavailable.ts'

// One prepared statement on one connection. The driver's own query object asks for the description of its rows each
// time and reads it anew; here a connection is asked once for each statement. That is safe: PostgreSQL refuses to run
// a prepared statement whose columns have changed.

/** `settled` is called when it is answered, whether with rows or with an error. */
export function runStatement(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
  settled = () => {},
): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, rows: unknown[]) => {
      settled()
      if (error) reject(asUnavailable(error))
      else resolve(rows)
    }
    try {
      client.query(new Statement(text, values, callback) as unknown as pg.Query)
    } catch (error) {
      callback(error, []) // a value that cannot be sent
    }
  })
}

const names = new Map<string, string>()

// Every text in the house is a constant, so naming each makes PostgreSQL plan it once for a connection.
export function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = hash('sha1', text, 'base64url')
    names.set(text, name)
  }
  return name
}

type Callback = (error: unknown, rows: unknown[]) => void
type Column = { name: string; parse: (text: string) => unknown }
type Field = { name: string; dataTypeID: number }

/** What the driver keeps of a connection, beyond what its types tell. */
type Connection = {
  stream: Writable
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(statement: { statement: string; values: readonly unknown[] }): void
  describe(portal: { type: 'P' }): void
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils
const EXECUTE_AND_SYNC = Buffer.from('45000000090000000000' + '5300000004', 'hex')
const described = new WeakMap<Connection, Map<string, readonly Column[]>>()

class Statement {
  readonly name: string
  readonly text: string
  readonly #values: readonly unknown[]
  readonly #callback: Callback
  readonly #rows: unknown[] = []
  #columns: readonly Column[] | undefined
  #error: unknown

  constructor(text: string, values: readonly unknown[], callback: Callback) {
    this.name = nameOf(text)
    this.text = text
    this.#values = values.map(prepareValue)
    this.#callback = callback
  }

  submit(connection: Connection): void {
    const { name, text } = this
    connection.stream.cork()
    this.#columns = columnsOf(connection).get(name)
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      connection.parse({ name, text })
      connection.submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values: this.#values })
    if (!this.#columns) connection.describe({ type: 'P' })
    connection.stream.write(EXECUTE_AND_SYNC)
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(rowOf(this.#columns ?? [], fields))
    } catch (error) {
      this.#error = error
    }
  }

  handleCommandComplete(_: unknown, connection: Connection): void {
    const known = columnsOf(connection)
    if (!known.has(this.name)) known.set(this.name, this.#columns ?? [])
  }

  handleReadyForQuery(): void {
    this.#callback(this.#error, this.#rows)
  }

  handleError(error: unknown): void {
    this.#callback(error, [])
  }
}

// On a pipelined connection the driver takes nothing but its own queries, for others might hold a portal beyond their
// sync. This one does not; and it can do without what their constructor makes.
Object.setPrototypeOf(Statement.prototype, pg.Query.prototype)

function columnsOf(connection: Connection): Map<string, readonly Column[]> {
  let known = described.get(connection)
  if (!known) {
    known = new Map()
    described.set(connection, known)
  }
  return known
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index] as Column
    const text = fields[index] ?? null
    row[column.name] = text === null ? null : column.parse(text)
  }
  return row
}
