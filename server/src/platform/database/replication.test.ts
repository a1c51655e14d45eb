import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runSql } from '../../../test/fixtures/database.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { type Db, openDb } from './db.ts'

// PostgreSQL answers a COMMIT whose wait for the standby was ended with a warning, and success. A failover may lose it.

describe('a commit that no longer waits for its standby', () => {
  let folder: string
  let postgres: EmbeddedPostgres
  let db: Db
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodgeway-replication-'))
    postgres = await startEmbeddedPostgres({ folder, mode: 'own', settings: { fsync: 'off' } })
    db = openDb({ url: postgres.ownerUrl })
    await db.query('create table notes (note text)')
    await useStandby('one_that_is_away')
  })
  after(async () => {
    await useStandby('')
    await db.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function useStandby(name: string): Promise<void> {
    await runSql(postgres.ownerUrl, `alter system set synchronous_standby_names = '${name}'`)
    await runSql(postgres.ownerUrl, 'select pg_reload_conf()')
    // A new connection has what the server has read; a checkpoint ends after the process that tells commits to wait has read it.
    await eventually(async () => {
      const [row] = await runSql<{ name: string }>(
        postgres.ownerUrl,
        `select current_setting('synchronous_standby_names') as name`,
      )
      return row?.name === name
    })
    await runSql(postgres.ownerUrl, 'checkpoint')
  }

  const waiting = (what: string) =>
    db.read.query<{ pid: number }>(`select pid from pg_stat_activity where wait_event = 'SyncRep' and query ilike $1`, [
      `${what}%`,
    ])

  /** Its wait for the standby is ended by an operator. */
  async function writeUnreplicated(note: string): Promise<{ written: Promise<unknown> }> {
    const written = db.query('insert into notes values ($1)', [note])
    written.catch(() => {})
    await eventually(async () => (await waiting('commit')).length > 0)
    await db.read.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
    await eventually(async () => (await waiting('select pg_logical_emit_message')).length > 0)
    return { written }
  }

  it('has an unknown outcome while the standby does not have it', async () => {
    const { written } = await writeUnreplicated('first')
    await assert.rejects(written, { reason: 'outcome_unknown' })
  })

  it('has committed once the standby has it', async () => {
    const { written } = await writeUnreplicated('second')
    await useStandby('') // all that waits for it goes on, as when it has received everything
    await written
    assert.equal((await db.read.query(`select from notes where note = 'second'`)).length, 1)
  })
})
