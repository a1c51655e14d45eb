import closeWithGrace from 'close-with-grace'
import { showSteps } from './cli/progress.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { linesFor } from './platform/operations/terminal.ts'
import type { Parts, Service } from './service.ts'

const DRAIN_MS_MAX = 30_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const SAME_SIGNAL_MS = 1_000

type Command = 'dev' | 'serve' | 'work'

/** Runs a long-lived part of the service until it gets the signal to stop, then drains it. */
export async function run(command: Command): Promise<void> {
  const sandbox = command === 'dev'
  const config = readConfig(process.env, { sandbox, part: command === 'work' ? 'work' : 'serve' })
  const stop = watchSignals()
  const steps = showSteps(process.stderr, () => performance.now() / 1000)
  const parts: Parts = {
    http: command !== 'work',
    worker: command !== 'serve',
    onStep(what, of) {
      stop.throwIfAsked()
      if (sandbox) steps.onStep(what, of)
    },
    onLost() {
      process.stderr.write(`${config.dataDir} was deleted or moved. Lodgeway stops; start it again to begin anew.\n`)
      process.exit(1)
    },
    ...(sandbox && { log: linesFor(process.stdout) }),
    ...(sandbox && config.logLevel !== 'silent' && { onRequest: (line) => void process.stdout.write(line) }),
  }
  const service = await startAll(config, parts).catch((error) => {
    steps.end()
    if (!stop.isAsked()) throw error
    process.stderr.write('Stopped before it was ready.\n')
    process.exit()
  })
  steps.end()
  const { log } = service.deps
  const delay = config.leaveSeconds * 1000 + DRAIN_MS_MAX
  const { close } = closeWithGrace({ delay, logger: false, skip: [...SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping because of an unexpected error')
    await service.stop()
  })
  stop.onAsked((signal) => {
    log.info({ signal }, 'draining')
    close()
  })
  const { SIMULATOR } = await import('./ports.ts')
  const { registry, payments } = config
  const isSimulated = !sandbox && [registry, payments].includes(SIMULATOR)
  log[isSimulated ? 'warn' : 'info']({ registry, payments }, 'adapters in use')
  const { url, adminUrl } = service
  const hasConsole = config.console !== undefined
  if (stop.isAsked()) return
  if (!sandbox) return log.info({ url, adminUrl }, `${command} is ready`)
  const { welcome } = await import('./sandbox/welcome.ts')
  process.stdout.write(welcome({ url, adminUrl, dataDir: config.dataDir, hasConsole }))
}

/** The service is loaded while PostgreSQL starts: each takes a while, and PostgreSQL is another process. */
async function startAll(config: Config, parts: Parts): Promise<Service> {
  let loading: Promise<typeof import('./service.ts')> | undefined
  const load = () => (loading ??= import('./service.ts'))
  const database = await openDatabase(config, parts.http ? 'own' : 'share', { ...parts, meanwhile: load })
  try {
    parts.onStep?.('loading the service')
    const { startService } = await load()
    return await startService(config, { ...parts, database })
  } catch (error) {
    await database.stop()
    throw error
  }
}

/**
 * From the beginning, so that one that arrives during the start leaves nothing behind either. The next one ends the process
 * at once, except within a second: npm passes Ctrl-C on to a process that got it from the terminal already.
 */
function watchSignals() {
  let asked: { signal: NodeJS.Signals; at: number } | undefined
  let onAsked = (_: NodeJS.Signals) => {}
  for (const name of SIGNALS) {
    process.on(name, (signal) => {
      if (asked && performance.now() - asked.at > SAME_SIGNAL_MS) process.exit(1)
      if (asked) return
      asked = { signal, at: performance.now() }
      onAsked(signal)
    })
  }
  return {
    isAsked: () => asked !== undefined,
    throwIfAsked() {
      if (asked) throw new Error(`stopped by ${asked.signal}`)
    },
    onAsked(act: (signal: NodeJS.Signals) => void) {
      onAsked = act
      if (asked) act(asked.signal)
    },
  }
}
