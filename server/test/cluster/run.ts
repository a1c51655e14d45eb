import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { STARTER, startCluster, statusOf, stopCluster } from './cluster.ts'
import { processesIn } from './processes.ts'

// `npm run cluster [-- start | stop | status]`

const { CLUSTER_DIR } = process.env
const FOLDER = CLUSTER_DIR || join(tmpdir(), 'lodgeway-cluster')
const processes = processesIn(FOLDER)
const COMMANDS: Record<string, () => Promise<void>> = { start, stop, status }

const say = (line: string) => void process.stdout.write(`${line}\n`)

const [name = 'start'] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) {
  process.stderr.write(`Choose one: npm run cluster -- ${Object.keys(COMMANDS).join(' | ')}\n`)
  process.exit(2)
}
await command().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})

async function start(): Promise<void> {
  if ((await starter()).length) throw new Error(`A cluster runs in ${FOLDER}. Stop it: npm run cluster -- stop`)
  await processes.note(STARTER, process.pid)
  const stopped = Promise.withResolvers<void>()
  setInterval(() => {}, 60_000) // waiting for a signal alone would not keep this process running
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve())
  const cluster = await Promise.race([startCluster(FOLDER, say), stopped.promise])
  if (cluster) {
    say(`\nThe cluster is ready: ${cluster.url}`)
    say(`  certificate   ${cluster.certificate}   (NODE_EXTRA_CA_CERTS, curl --cacert)`)
    say(`  database      ${cluster.ownerUrl}`)
    say(`  logs          ${join(FOLDER, 'log')}`)
    say('Ctrl-C stops it.')
    await stopped.promise
  }
  say('stopping, which takes half a minute')
  await stopAndClear()
  process.exit() // also if it was still starting
}

async function stop(): Promise<void> {
  processes.signal(await starter(), 'SIGTERM')
  while ((await starter()).length) await delay(100)
  await stopAndClear() // what is left if the process that started it was killed
  say('Nothing of the cluster runs.')
}

/** A folder that was chosen keeps its data. */
async function stopAndClear(): Promise<void> {
  const isLeft = async () => (await processes.noted()).some((name) => name !== STARTER)
  do await stopCluster(FOLDER)
  while (await isLeft()) // it was still starting
  if (!CLUSTER_DIR) await rm(FOLDER, { recursive: true, force: true })
}

async function status(): Promise<void> {
  for (const line of await statusOf(FOLDER)) say(line)
}

async function starter(): Promise<number[]> {
  return (await processes.pids(STARTER)).slice(0, 1)
}
