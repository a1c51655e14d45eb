import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { readSettings } from './hmlr/settings.ts'
import type { Deps } from './platform/deps.ts'
import { loadPayments, loadRegistry, openPorts } from './ports.ts'

const ADAPTERS = resolve(import.meta.dirname, '../test/fakes/adapters.ts')
const log = pino({ enabled: false })
const hmlr = readSettings({}, [])
const asking = {
  now: new Date(),
  firstAskedAt: new Date(),
  messageId: 'message',
  correlationId: 'c',
  lawFirmId: 'firm',
  customerReference: 'LW260000001',
}

describe('openPorts', () => {
  it('opens the modules that the settings name, by absolute path or relative to the working folder', async () => {
    const settings = { hmlr, registry: ADAPTERS, payments: relative(process.cwd(), ADAPTERS) }
    const { registry, payments } = await openPorts(settings, { log } as Deps)
    assert.deepEqual(await registry.searchTitle('ST500678', asking), { kind: 'failed', reason: 'NOT_FOUND' })
    assert.equal((await payments.pay({} as never, asking)).kind, 'later')
  })

  it('opens the simulators when the settings ask for them', async () => {
    const ports = await openPorts({ hmlr, registry: 'simulator', payments: 'simulator' }, { log } as Deps)
    assert.equal((await ports.registry.searchTitle('ST500678', asking)).kind, 'found')
  })

  it('lets the law firms pay, when the setting says so', async () => {
    const { payments } = await openPorts({ hmlr, registry: 'simulator', payments: 'manual' }, { log } as Deps)
    assert.deepEqual(await payments.pay({} as never, asking), { kind: 'manual' })
  })

  it('never uses a simulator when nothing is set', async () => {
    const unset = { hmlr, registry: undefined, payments: 'simulator' }
    await assert.rejects(openPorts(unset, { log } as Deps), /^Error: REGISTRY is not set\.$/)
  })
})

describe('a module that is not an adapter', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodgeway-adapter-'))
    await writeFile(join(folder, 'empty.mjs'), '')
    await writeFile(join(folder, 'half.mjs'), 'export const openRegistry = () => ({ lodge() {}, notices() {} })')
    await writeFile(join(folder, 'nothing.mjs'), 'export const openPayments = async () => undefined')
  })
  after(() => rm(folder, { recursive: true }))

  const path = (file: string) => join(folder, file)
  it('is named in a sentence', async () => {
    await assert.rejects(loadRegistry(path('none.mjs'), log), /REGISTRY names \S+none\.mjs, which cannot be loaded/)
    await assert.rejects(
      loadPayments(path('empty.mjs'), log),
      /PAYMENTS names \S+, which exports no openPayments\(\)\./,
    )
    await assert.rejects(loadRegistry(path('half.mjs'), log), /that REGISTRY names lacks searchTitle, reply\./)
    await assert.rejects(loadPayments(path('nothing.mjs'), log), /that PAYMENTS names lacks pay\./)
  })
})
