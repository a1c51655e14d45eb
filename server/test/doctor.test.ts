import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { runCommand } from './fixtures/command.ts'
import { type ServiceProcess, serviceProcess } from './fixtures/process.ts'

// `lodgeway doctor`, beside a sandbox that runs.

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

let service: ServiceProcess
before(async () => {
  service = await serviceProcess()
  await service.start()
})
after(() => service.remove())

const doctor = (env: Record<string, string>) => runCommand('doctor', { DATA_DIR: service.dataDir, ...env })

describe('lodgeway doctor', { concurrency: 3 }, () => {
  it('finds a sandbox that runs fit, and its port served by it', async () => {
    const { output, code } = await doctor({ PORT: new URL(service.url).port, ADMIN_PORT: '0' })
    assert.match(output, /^[✔!] node +Node\.js v24\./m)
    assert.match(output, /^[✔!] database +PostgreSQL \d+\.\d+/m)
    assert.match(output, /^✔ migrations +the database is current$/m)
    assert.match(output, /^✔ PORT +\d+ is served by a Lodgeway that runs$/m)
    assert.match(output, /^Fit to run/m)
    assert.equal(code, 0)
  })

  it('finds a service that listens on IPv6', { skip: !HAS_IPV6 }, async () => {
    await using running = createServer((_, response) => response.end())
    await new Promise<void>((listening) => running.listen(0, '::1', listening))
    const PORT = String((running.address() as AddressInfo).port)
    assert.match((await doctor({ HOST: '::1', PORT, ADMIN_PORT: '0' })).output, /^✔ PORT .+ is served/m)
  })

  it('says how to mend each thing that is amiss', async () => {
    const wrong = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRET_PEPPER: 'x'.repeat(32), PORT: '0' }
    const { output, code } = await doctor({
      ...wrong,
      ADMIN_PORT: '0',
      SIGNING_KEYS: '{}',
      CLAMD_URL: 'tcp://127.0.0.1:1',
    })
    assert.match(output, /^✖ keys .+\n +Fix: .*`lodgeway key generate`/m)
    assert.match(output, /^✖ database .+\n +Fix: Check DATABASE_URL/m)
    assert.match(output, /^✖ scanner .+\n +Fix: Start clamd/m)
    assert.match(output, /^3 to mend/m)
    assert.equal(code, 1)
    const { output: unset } = await doctor({ DATABASE_URL: wrong.DATABASE_URL })
    assert.match(unset, /^✖ settings +SECRET_PEPPER is required/m)
  })
})
