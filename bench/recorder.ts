import pg from 'pg'

// What a service sends to its database, as the driver sends it. It runs in a process of its own, so that a measured one
// does not pay for it.

/** Those with the same `trip` were sent together, before an answer was waited for. */
export type Sent = { text: string; values: (string | null)[]; connection: number; trip: number }

type Bound = { statement?: string; values?: unknown[]; valueMapper?: (value: unknown, index: number) => unknown }
type Known = { id: number; texts: Map<string, string>; trip: number; isAnswered: boolean }

/** Call it before the first connection. Gives what was sent since the last call. */
export function recordStatements(): () => Sent[] {
  let sent: Sent[] = []
  let trips = 0
  const connections = new Map<pg.Connection, Known>()
  const knownOf = (connection: pg.Connection): Known => {
    const found = connections.get(connection)
    if (found) return found
    const known = { id: connections.size, texts: new Map(), trip: 0, isAnswered: true }
    connections.set(connection, known)
    connection.on('readyForQuery', () => {
      known.isAnswered = true
    })
    return known
  }
  const note = (connection: pg.Connection, text: string, values: (string | null)[]) => {
    const known = knownOf(connection)
    if (known.isAnswered) known.trip = ++trips
    known.isAnswered = false
    sent.push({ text, values, connection: known.id, trip: known.trip })
  }

  const driver = pg.Connection.prototype
  const { query, parse, bind } = driver
  driver.query = function (this: pg.Connection, text: string) {
    note(this, text, [])
    return query.call(this, text)
  }
  driver.parse = function (this: pg.Connection, ...given) {
    const [{ name, text }] = given
    knownOf(this).texts.set(name ?? '', text)
    return parse.apply(this, given)
  }
  driver.bind = function (this: pg.Connection, ...given) {
    const { statement = '', values = [], valueMapper = (value) => value } = (given[0] ?? {}) as Bound
    note(this, knownOf(this).texts.get(statement) ?? '', values.map(valueMapper).map(asText))
    return bind.apply(this, given)
  }
  return () => {
    const recorded = sent
    sent = []
    return recorded
  }
}

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value)
}
