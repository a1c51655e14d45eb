import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateSigningKey } from '../src/auth/keys.ts'
import { testDatabase } from './fixtures/database.ts'
import { commandHere, runCommand, type ServiceProcess, serviceProcess } from './fixtures/process.ts'

// `lodgeway doctor`, next to a running sandbox.

const ADAPTERS = { REGISTRY: 'simulator', PAYMENTS: resolve(import.meta.dirname, 'fakes/adapters.ts') }
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

let service: ServiceProcess
before(async () => {
  service = await serviceProcess()
  await service.start()
})
after(() => service.remove())

const doctor = (env: Record<string, string>) => commandHere('doctor', { DATA_DIR: service.dataDir, ...env })

describe('lodgeway doctor', () => {
  it('finds a running sandbox ready to run, and its port used by it', async () => {
    const env = { DATA_DIR: service.dataDir, PORT: new URL(service.url).port, ADMIN_PORT: '0' }
    const { output, code } = await runCommand('doctor', env)
    assert.match(output, /^[✔!] node +Node\.js v24\./m)
    assert.match(output, /^[✔!] database +PostgreSQL \d+\.\d+/m)
    assert.match(output, /^✔ migrations +the database is current$/m)
    assert.match(output, /^✔ PORT +\d+ is used by a running Lodgeway$/m)
    assert.match(output, /^Ready to run/m)
    assert.equal(code, 0)
  })

  it('finds a service that listens on IPv6', { skip: !HAS_IPV6 }, async () => {
    await using running = createServer((_, response) => response.end())
    await new Promise<void>((listening) => running.listen(0, '::1', listening))
    const PORT = String((running.address() as AddressInfo).port)
    assert.match((await doctor({ HOST: '::1', PORT, ADMIN_PORT: '0' })).output, /^✔ PORT .+ is used/m)
  })

  it('asks the catalogue who owns the tables, whatever the settings call the roles', async () => {
    const database = await testDatabase()
    const secrets = { SECRET_PEPPER: 'x'.repeat(32), SIGNING_KEYS: JSON.stringify(await generateSigningKey()) }
    const env = { ...secrets, ...ADAPTERS, PORT: '0', ADMIN_PORT: '0' }
    try {
      const other = `${database.ownerUrl}&application_name=other`
      const asOwner = await doctor({ ...env, DATABASE_URL: database.ownerUrl, DATABASE_OWNER_URL: other })
      assert.match(asOwner.output, /^! registry +simulator: nothing reaches a land registry\.$/m)
      assert.match(asOwner.output, /^✔ payments .*adapters\.ts$/m)
      assert.match(asOwner.output, /^! roles +The service runs as \w+, which owns the tables/m)
      const { output } = await doctor({ ...env, PAYMENTS: 'manual', DATABASE_URL: database.url })
      assert.match(output, /^✔ payments +manual: law firms pay/m)
      assert.doesNotMatch(output, /^. roles/m)
    } finally {
      await database.drop()
    }
  })

  it('says how to fix each thing that is wrong', async () => {
    const wrong = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_PEPPER: 'x'.repeat(32), PORT: '0' }
    const { output, code } = await doctor({
      ...wrong,
      ...ADAPTERS,
      ADMIN_PORT: '0',
      SIGNING_KEYS: '{}',
      CLAMD_URL: 'tcp://127.0.0.1:1',
    })
    assert.match(output, /^✖ keys .+\n +Fix: .*`lodgeway key generate`/m)
    assert.match(output, /^✖ database .+\n +Fix: Check DATABASE_URL/m)
    assert.match(output, /^✖ scanner .+\n +Fix: Start clamd/m)
    assert.match(output, /^3 to fix/m)
    assert.equal(code, 1)
    const { output: unset } = await doctor({ DATABASE_URL: wrong.DATABASE_URL })
    assert.match(unset, /^✖ settings +SECRET_PEPPER is required/m)
  })
})
