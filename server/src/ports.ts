import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from './config.ts'
import { HMLR } from './hmlr/settings.ts'
import { manualPayments } from './manual-payments/manual.ts'
import type { Deps } from './platform/deps.ts'
import { describeError } from './platform/errors.ts'
import type { OpenRegistry, Registry } from './registry/port.ts'
import type { OpenPayments, Payments } from './settlement/port.ts'
import { simulatedPayments } from './settlement/simulator.ts'
import { simulatedRegistry } from './simulated-registry/simulator.ts'

/** The land registry and the bank, or their simulators. */
export type Ports = { registry: Registry; payments: Payments }

export const SIMULATOR = 'simulator'
export const MANUAL = 'manual'

type Settings = Pick<Config, 'registry' | 'payments' | 'hmlr'>

export async function openPorts(settings: Settings, deps: Pick<Deps, 'db' | 'log' | 'vault'>): Promise<Ports> {
  const { payments } = settings
  return {
    registry: await openRegistry(settings, deps),
    payments: payments === SIMULATOR ? simulatedPayments(deps) : await loadPayments(payments, deps.log),
  }
}

async function openRegistry({ registry, hmlr }: Settings, deps: Pick<Deps, 'db' | 'log' | 'vault'>) {
  if (registry === SIMULATOR) return simulatedRegistry(deps)
  if (registry !== HMLR) return loadRegistry(registry, deps.log)
  const { openHmlr } = await import('./hmlr/adapter.ts')
  return openHmlr(deps, hmlr)
}

/** The registry of the module that `REGISTRY` names. */
export async function loadRegistry(path: string | undefined, log: Deps['log']): Promise<Registry> {
  const open = await load<OpenRegistry>('REGISTRY', path, 'openRegistry')
  return complete('REGISTRY', await open({ log }), ['searchTitle', 'lodge', 'notices', 'reply'])
}

/** The law firms themselves, or the bank of the module that `PAYMENTS` names. */
export async function loadPayments(path: string | undefined, log: Deps['log']): Promise<Payments> {
  if (path === MANUAL) return manualPayments
  const open = await load<OpenPayments>('PAYMENTS', path, 'openPayments')
  return complete('PAYMENTS', await open({ log }), ['pay'])
}

async function load<Open>(setting: string, path: string | undefined, name: string): Promise<Open> {
  if (path === undefined) throw new Error(`${setting} is not set.`)
  const module = await import(pathToFileURL(resolve(path)).href).catch((cause) => {
    throw new Error(`${setting} names ${path}, which cannot be loaded: ${describeError(cause)}`, { cause })
  })
  if (typeof module[name] !== 'function') throw new Error(`${setting} names ${path}, which exports no ${name}().`)
  return module[name]
}

function complete<Port extends object>(setting: string, port: Port, calls: readonly (keyof Port & string)[]): Port {
  const missing = calls.filter((call) => typeof port?.[call] !== 'function')
  if (missing.length) throw new Error(`The adapter that ${setting} names lacks ${missing.join(', ')}.`)
  return port
}
