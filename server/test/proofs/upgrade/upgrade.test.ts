import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { compareMigrations, readMigrations } from '../../../src/platform/database/migrations.ts'
import { git, hasCommit, PREVIOUS } from '../../fixtures/history.ts'

// `npm run proof -- upgrade` replaces the nodes of a cluster; here is what its way back depends on.

it('a node of the version before starts on the database of this one', async (context) => {
  if (!(await hasCommit(PREVIOUS))) return context.skip('this clone has no history back to the version before')
  const names = (await git('ls-tree', '--name-only', PREVIOUS, 'server/migrations/')).trim().split('\n')
  const known = await Promise.all(
    names.map(async (path) => {
      const sql = await git('show', `${PREVIOUS}:${path}`)
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name: path.replace('server/migrations/', ''), sql, checksum, compatibleFrom: null }
    }),
  )
  const { version } = JSON.parse(await git('show', `${PREVIOUS}:server/package.json`)) as { version: string }
  const applied = await readMigrations()
  const { pending, newer } = await compareMigrations(async () => applied as never, known, version)
  assert.deepEqual(pending, [])
  assert.equal(newer.length, applied.length - known.length)
})
