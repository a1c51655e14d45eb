import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { errorBody, type FieldError } from '../src/platform/errors.ts'
import { BODY_BYTES_MAX, parseJson } from '../src/platform/http/json.ts'
import type { JsonSchema } from '../src/platform/openapi/document.ts'
import { exampleOf } from '../src/platform/openapi/examples.ts'
import { readRoutes } from '../src/route-manifest.ts'

// Every operation gets the bodies that cost a validator the most, each as large as allowed. They are read, validated
// and answered as in the service, without a database.

const CPU_MS_MAX = 50
const BUSY_MACHINE = 4
const ANSWER_BYTES_MAX = 65_536

let routes: readonly RouteOptions[]
before(async () => {
  routes = (await readRoutes()).filter(({ schema, config }) => schema?.body && config?.checks)
})

/** As much of it as fits into a body. */
const filled = (start: string, piece: string, end: string): string =>
  start + piece.repeat(Math.floor((BODY_BYTES_MAX - Buffer.byteLength(start + end)) / Buffer.byteLength(piece))) + end

const ODD_TEXTS = ['a', '\u0301\u0316', ' a', 'a.', 'a@', ':/']

const named = (nameOf: (index: number) => string) =>
  `{${Array.from({ length: 80_000 }, (_, index) => `"${nameOf(index)}":1`).join()}}`

const WIDE = [
  filled('{"x":', '[', ''),
  filled('', '{"x":', ''),
  named((index) => `k${index}`),
  named((index) => String(index * 7)),
  filled('{"a":1', ',"a":1', '}'),
  filled('{"', 'x', '":1}'),
  filled('{"amount":', '9', '}'),
  filled('{"\\u005f_proto__":1,"x":[1', ',1', ']}'),
  `{"${'x'.repeat(900_000)}":[${Array(900).fill('"\\u0000"').join()}]}`,
]

/** Few enough values to be validated, and as many as fit into a body. */
const listsFor = (name: string) =>
  ['{}', '"WORKSPACE_UNKNOWN"', '"WORKSPACE_CREATED"'].flatMap((item) => [
    `{"${name}":[${Array(990).fill(item).join()}]}`,
    filled(`{"${name}":[`, `${item},`, `${item}]}`),
  ])

/** A valid body in which every text is a long odd one, so that each meets its own format and pattern. */
function textsFor(schema: JsonSchema): string[] {
  const example = JSON.stringify(exampleOf(schema))
  const texts = example.match(TEXT)?.length ?? 1
  return ODD_TEXTS.map((piece) => {
    const times = Math.floor((BODY_BYTES_MAX - example.length) / texts / Buffer.byteLength(piece))
    return example.replace(TEXT, JSON.stringify(piece.repeat(times)))
  })
}

const TEXT = /(?<=:)"[^"]*"/g

describe('a body made to be expensive', () => {
  it('takes no more than 50 ms and is answered with no more than 64 KB, at every operation', async () => {
    assert.ok(routes.length > 15, 'every operation with a body is tried')
    const wide = await Array.fromAsync(WIDE, read)
    const lists = new Map<string, Read[]>()
    for (const route of routes) {
      const schema = route.schema?.body as JsonSchema
      const names = Object.keys(schema.properties ?? {})
      for (const name of names) {
        if (!lists.has(name)) lists.set(name, await Array.fromAsync(listsFor(name), read))
      }
      const texts = await Array.fromAsync(textsFor(schema), read)
      for (const body of [...wide, ...names.flatMap((name) => lists.get(name) ?? []), ...texts]) answers(route, body)
    }
  })
})

type Read = { start: string; body: unknown; ms: number }

/** Reading does not depend on the operation, so that a body for all of them is read once. */
async function read(text: string): Promise<Read> {
  const start = text.slice(0, 60)
  assert.ok(Buffer.byteLength(text) <= BODY_BYTES_MAX, start)
  const before = process.threadCpuUsage()
  const body = await parseJson({} as FastifyRequest, text)
  return { start, body, ms: millisecondsSince(before) }
}

function answers(route: RouteOptions, { start, body, ms: reading }: Read): void {
  const what = `${route.method} ${route.url} with ${start}…`
  const before = process.threadCpuUsage()
  const answer = JSON.stringify(errorBody(errorsOf(route, body)))
  const ms = reading + millisecondsSince(before)
  assert.ok(ms < CPU_MS_MAX * BUSY_MACHINE, `${ms} ms of CPU: ${what}`)
  assert.ok(Buffer.byteLength(answer) <= ANSWER_BYTES_MAX, `${answer.length} bytes: ${what}`)
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function errorsOf({ method, config }: RouteOptions, body: unknown): FieldError[] {
  const request = { method, route: config, params: {}, query: {}, headers: {}, body }
  return config?.checks?.(request as object as FastifyRequest) ?? []
}
