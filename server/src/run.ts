import closeWithGrace from 'close-with-grace'
import { readConfig } from './config.ts'
import { SIMULATOR } from './ports.ts'
import { welcome } from './sandbox/welcome.ts'
import { startService } from './service.ts'

const DRAIN_MS_MAX = 30_000

/** Runs a long-lived part of the service until it gets the signal to stop, then drains it. */
export async function run(command: 'dev' | 'serve' | 'work'): Promise<void> {
  const sandbox = command === 'dev'
  const config = readConfig(process.env, { sandbox, part: command === 'work' ? 'work' : 'serve' })
  const service = await startService(config, { http: command !== 'work', worker: command !== 'serve' })
  const { log } = service.deps
  closeWithGrace({ delay: DRAIN_MS_MAX, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping because of an unexpected error')
    else log.info({ signal }, 'draining')
    await service.stop()
  })
  const { registry, payments } = config
  const isSimulated = !sandbox && [registry, payments].includes(SIMULATOR)
  log[isSimulated ? 'warn' : 'info']({ registry, payments }, 'adapters in use')
  const { url, adminUrl } = service
  const hasConsole = config.console !== undefined
  if (sandbox) process.stdout.write(welcome({ url, adminUrl, dataDir: config.dataDir, hasConsole }))
  else log.info({ url, adminUrl }, `${command} is ready`)
}
