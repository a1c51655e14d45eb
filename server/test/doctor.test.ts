import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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
    await using other = await aLodgewayAt('127.0.0.1')
    const env = { DATA_DIR: service.dataDir, PORT: new URL(service.url).port, ADMIN_PORT: portOf(other) }
    const { output, code } = await runCommand('doctor', env)
    assert.match(output, /^[✔!] node +Node\.js v24\./m)
    assert.match(output, /^[✔!] database +PostgreSQL \d+\.\d+/m)
    assert.match(output, /^✔ migrations +the database is current$/m)
    assert.match(output, /^✔ PORT +\d+ is used by this Lodgeway, which runs$/m)
    assert.match(output, /^✔ ADMIN_PORT +\d+ is in use; the sandbox will take a free one$/m)
    assert.match(output, /^Ready to run/m)
    assert.equal(code, 0)
  })

  it('tells this Lodgeway from another, on IPv6 too', { skip: !HAS_IPV6 }, async () => {
    await using other = await aLodgewayAt('::1')
    const { output, code } = await doctor({ HOST: '::1', PORT: portOf(other), ADMIN_PORT: '0' })
    assert.match(output, /^✖ PORT +PORT \d+ is in use by another Lodgeway\.\n +Fix: .*: PORT=\d+ npm start$/m)
    assert.equal(code, 1)
  })

  it('creates nothing in a fresh clone, and neither does another command', async () => {
    const DATA_DIR = join(tmpdir(), `lodgeway-none-${process.pid}`)
    const { output, code } = await doctor({ DATA_DIR, PORT: '0', ADMIN_PORT: '0' })
    assert.match(output, /^✔ folder +.* does not exist yet; the first start creates it$/m)
    assert.match(output, /^✔ database +none yet/m)
    assert.equal(code, 0)
    const { errors } = await commandHere('subscriber list', { DATA_DIR })
    assert.equal(errors, `There is nothing in ${DATA_DIR} yet. Start the sandbox first: npm start\n`)
    await assert.rejects(stat(DATA_DIR), { code: 'ENOENT' })
  })

  it('says about a folder that cannot be used only what fixes that', async () => {
    const DATA_DIR = join(import.meta.filename, 'data')
    const { output, code } = await doctor({ DATA_DIR, PORT: '0', ADMIN_PORT: '0' })
    assert.match(output, /^✖ folder +.*doctor\.test\.ts is not a folder\.\n +Fix: Set DATA_DIR to another\.$/m)
    assert.match(output, /^1 to fix/m)
    assert.equal(code, 1)
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

  it('has the overdue jobs of a sandbox that does not run started by it', async () => {
    await service.kill('SIGTERM')
    await service.query(`insert into due (due_at, job, payload) values (now() - interval '1 hour', 'audit.seal', '{}')`)
    const { output } = await doctor({ PORT: '0', ADMIN_PORT: '0' })
    assert.match(output, /^! jobs +\d+ jobs are more than 5 minutes overdue\.\n +Fix: Start the sandbox.*: npm start$/m)
  })
})

async function aLodgewayAt(host: string): Promise<Server> {
  const server = createServer((_, response) => response.end('{"status":"live","nodeId":"another"}'))
  await new Promise<void>((listening) => server.listen(0, host, listening))
  return server
}

const portOf = (server: Server): string => String((server.address() as AddressInfo).port)
