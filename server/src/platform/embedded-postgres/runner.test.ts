import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const HAS_NAMESPACES = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0

describe('the embedded PostgreSQL of root', { skip: process.getuid?.() !== 0 }, () => {
  let closed: string

  before(async () => {
    closed = await mkdtemp(join(tmpdir(), 'lodgeway-postgres-'))
    await chmod(closed, 0o700)
  })
  after(() => rm(closed, { recursive: true }))

  it('runs in a folder that only root may enter, and leaves its files to root if the kernel has namespaces', async () => {
    const folder = join(closed, 'kept')
    const postgres = await startEmbeddedPostgres({ folder, mode: 'own' })
    await ask(postgres.ownerUrl, 'create table kept as select 7 as seven')
    await postgres.stop()
    assert.equal((await stat(join(folder, 'postgres/PG_VERSION'))).uid === 0, HAS_NAMESPACES)
  })

  it('is handed over with its data when another user must run it, and stays with that user', async () => {
    const folder = join(closed, 'kept')
    for (const options of [{ rootRunsAs: 'another user' } as const, {}]) {
      const postgres = await startEmbeddedPostgres({ folder, mode: 'own', ...options })
      assert.deepEqual(await ask(postgres.ownerUrl, 'select seven from kept'), [{ seven: 7 }])
      await postgres.stop()
      assert.notEqual((await stat(join(folder, 'postgres/PG_VERSION'))).uid, 0)
    }
  })

  it('is created and found by another user in a folder that only root may enter', async () => {
    const options = { folder: join(closed, 'by another'), mode: 'own', rootRunsAs: 'another user' } as const
    const postgres = await startEmbeddedPostgres(options)
    const [role] = await ask(postgres.url, 'select current_user')
    assert.deepEqual(role, { current_user: 'lodgeway' })
    await assert.rejects(startEmbeddedPostgres(options), /is in use/)
    await postgres.stop()
    await assert.rejects(stat(join(options.folder, 'postgres/postmaster.pid')), { code: 'ENOENT' })
  })
})

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
