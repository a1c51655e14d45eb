import pg from 'pg'
import { codeOf } from './unavailable.ts'

// Prepared statements. The driver's own queries ask the server to describe the rows on every execution, and build the
// columns from that again: a third of the cost of a read. Here each connection is asked once per statement. That is
// safe: PostgreSQL refuses to run a prepared statement whose columns have changed.

type Value = string | Buffer | null
type Callback = (error: Error | undefined, rows: never[]) => void

type Column = { name: string; parse: (text: string) => unknown }
/** What we know of a statement on a connection. After an error it is in doubt whether it is prepared. */
type Prepared = { name: string; columns: readonly Column[] | undefined; isInDoubt: boolean }

const CHANGED_COLUMNS = '0A000'
const PREPARED_MAX = 500 // on a connection: each takes memory of the server

/** Sends a statement whose text is a constant. The values must come from `sendable`. */
export function sendStatement(client: pg.ClientBase, text: string, values: Value[], callback: Callback): void {
  client.query(new Statement(text, values, callback))
}

/** The same as a promise. A value that cannot be sent throws at once. */
export function runStatement<Row extends object = Record<string, unknown>>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
  onError: (error: Error) => void = () => {},
): Promise<Row[]> {
  const ready = values.map(sendable)
  return new Promise((resolve, reject) => {
    sendStatement(client, text, ready, (error, rows) => {
      if (!error) return resolve(rows)
      onError(error)
      reject(error)
    })
  })
}

/** A query class of our own: the driver sends it with `submit` and gives it each message of the answer. */
class Statement extends pg.Query {
  readonly #text: string
  readonly #values: Value[]
  readonly #callback: Callback
  readonly #rows: never[] = []
  #statement: Prepared | undefined
  #columns: readonly Column[] | undefined
  #error: Error | undefined

  constructor(text: string, values: Value[], callback: Callback) {
    super(text)
    this.#text = text
    this.#values = values
    this.#callback = callback
  }

  override submit = (connection: pg.Connection): void => {
    const statement = preparedOn(connection, this.#text)
    const { name, isInDoubt } = statement
    this.#statement = statement
    connection.stream.cork()
    if (isInDoubt) {
      connection.close({ type: 'S', name }, true) // no error if there is none
      connection.parse({ name, text: this.#text, types: [] }, true)
      statement.isInDoubt = false
    }
    this.#columns = statement.columns
    connection.bind({ statement: name, values: this.#values }, true)
    if (!this.#columns) connection.describe({ type: 'P' }, true)
    connection.execute({}, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(rowOf(this.#columns ?? [], fields) as never)
    } catch (error) {
      this.#error = error as Error
    }
  }

  handleCommandComplete(): void {
    if (this.#statement) this.#statement.columns ??= this.#columns ?? []
  }

  handleReadyForQuery(): void {
    this.#callback(this.#error, this.#rows)
  }

  handleError(error: Error): void {
    const statement = this.#statement
    if (statement && (!statement.columns || codeOf(error) === CHANGED_COLUMNS)) {
      statement.columns = undefined
      statement.isInDoubt = true
    }
    this.#callback(error, this.#rows)
  }
}

const connections = new WeakMap<pg.Connection, Map<string, Prepared>>()

function preparedOn(connection: pg.Connection, text: string): Prepared {
  let statements = connections.get(connection)
  if (!statements) {
    statements = new Map()
    connections.set(connection, statements)
  }
  let statement = statements.get(text)
  if (!statement) {
    statement = { name: nameFor(statements), columns: undefined, isInDoubt: true }
    statements.set(text, statement)
  }
  return statement
}

/** A new one, or that of the oldest statement, which it replaces: some texts depend on what a request contains. */
function nameFor(statements: Map<string, Prepared>): string {
  if (statements.size < PREPARED_MAX) return `s${statements.size}`
  const [oldest = ''] = statements.keys()
  const { name = '' } = statements.get(oldest) ?? {}
  statements.delete(oldest)
  return name
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  columns.forEach(({ name, parse }, index) => {
    const text = fields[index] ?? null
    row[name] = text === null ? null : parse(text)
  })
  return row
}

/** A value as text or bytes. Objects are sent as JSON. */
export function sendable(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function elementOf(value: unknown): string {
  const text = sendable(value)
  if (text === null) return 'NULL'
  if (Array.isArray(value)) return text.toString()
  const plain = typeof text === 'string' ? text : `\\x${text.toString('hex')}`
  return `"${plain.replace(/["\\]/g, '\\$&')}"`
}
