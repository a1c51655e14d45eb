import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import { freePort } from '../server/test/fixtures/ports.ts'
import { accept, readRequests, sharedCopies } from './copies.ts'
import { type HttpLoad, type Measurement, runHttp, type Side } from './harness.ts'
import { exchange, load, requestBytes } from './load.ts'
import { OPERATIONS } from './operations.ts'
import type { Testbed } from './testbed.ts'

// The service beside what people use instead while they have none: Prism, which makes up answers from our own openapi.json,
// and json-server, which keeps records in a file. npx installs them; where it cannot, they are left out.

const PRISM = '@stoplight/prism-cli@5.16.0'
const JSON_SERVER = 'json-server@0.17.4'
const INSTALL_MS_MAX = 120_000
const CONNECTIONS = 32
const OPENAPI = resolve(import.meta.dirname, '../openapi.json')
const RECORD = '/workspaces/1'

type Mock = { url: string } | undefined
let mocks: Promise<{ prism: Mock; jsonServer: Mock }> | undefined

async function startMocks(testbed: Testbed) {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-mocks-'))
  const { lender } = await sharedCopies(testbed)
  const [request = Buffer.of()] = await readRequests(testbed)
  const { body } = await exchange(testbed.service.url, request)
  const file = join(folder, 'records.json')
  await writeFile(file, JSON.stringify({ workspaces: [{ id: 1, ...JSON.parse(body) }] }))
  testbed.onStop(() => rm(folder, { recursive: true, force: true }))
  const example = `${PARTNER_PATH}/workspaces/b07a9ba6-ee6b-4a05-8c3b-41b7c8d3f7f1`
  const host = ['--host', '127.0.0.1', '--port']
  const prism = await startMock(testbed, PRISM, (port) => ['mock', '--verboseLevel=silent', ...host, port, OPENAPI], {
    request: requestBytes('GET', example, accept(lender)),
  })
  const jsonServer = await startMock(testbed, JSON_SERVER, (port) => ['--quiet', ...host, port, file], {
    request: requestBytes('GET', RECORD, accept(lender)),
  })
  return { prism, jsonServer }
}

/** Undefined where it does not install or does not answer. */
async function startMock(
  { onStop }: Testbed,
  name: string,
  argumentsOf: (port: string) => string[],
  { request }: { request: Buffer },
): Promise<Mock> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn('npx', ['--yes', name, ...argumentsOf(String(port))], { stdio: 'ignore', detached: true })
  onStop(async () => endGroup(child))
  const until = performance.now() + INSTALL_MS_MAX
  while (performance.now() < until && child.exitCode === null) {
    const answer = await exchange(url, request).catch(() => undefined)
    if (answer?.status === 200) return { url }
    await delay(200)
  }
  process.stderr.write(`  ${name} could not be installed or did not answer, so it is left out.\n`)
  endGroup(child)
  return undefined
}

/** npx runs it as a process of its own. */
function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {} // it has ended
}

const mockSide = (name: string, { url }: { url: string }, requests: Buffer[]): Side => ({
  name,
  run: async (seconds) => {
    const { perSecond, p50Ms, p99Ms } = await load({
      url,
      requests,
      connections: CONNECTIONS,
      milliseconds: seconds * 1000,
    })
    return { perSecond, p50Ms, p99Ms }
  },
})

type Compared = { title: string; requests(testbed: Testbed): Promise<Buffer[]>; record: Buffer; goal: number }

const compare = (name: string, { title, requests, record, goal }: Compared) => ({
  [name]: async (testbed: Testbed): Promise<Measurement> => {
    mocks ??= startMocks(testbed)
    const { prism, jsonServer } = await mocks
    const sent: HttpLoad = { requests: await requests(testbed), connections: CONNECTIONS }
    const limits: Measurement['limits'] = []
    if (prism) limits.push({ ...mockSide('Prism on openapi.json', prism, sent.requests), goal })
    if (jsonServer) limits.push(mockSide('json-server', jsonServer, [record]))
    return {
      name,
      title,
      service: { name: 'service', run: (seconds) => runHttp(testbed.service, sent, seconds) },
      limits,
    }
  },
})

const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json' }

export const mockMeasurements = {
  ...compare('mock-read', {
    title: 'read a workspace',
    requests: readRequests,
    record: requestBytes('GET', RECORD, { Accept: 'application/json' }),
    goal: 8,
  }),
  ...compare('mock-create', {
    title: 'create a workspace, durable',
    requests: async (testbed) => OPERATIONS['create']?.requests(await sharedCopies(testbed), 1) ?? [],
    record: requestBytes('POST', '/workspaces', JSON_TYPE, JSON.stringify({ reference: 'REM-1', status: 'CREATED' })),
    goal: 1,
  }),
}
