import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from '../server/src/platform/database/db.ts'
import type { Side } from './harness.ts'

// The limit of anything in PostgreSQL here: its own load generator with the same statements on the same database.

/** As in the service: `openDb` in server/src/platform/database/db.ts. */
export const POOL_CONNECTIONS = 16

export type Script = { text: string; variables: Readonly<Record<string, string>> }

export const PGBENCH_MISSING =
  'pgbench was not found, in PATH or below /usr/lib/postgresql: without it there is no limit to compare with. ' +
  "Debian's package `postgresql-contrib` or `postgresql` contains it."

/** The path of a PostgreSQL program, or undefined. */
export async function findProgram(name: string): Promise<string | undefined> {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...debian]) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

/** The types of the parameters of statements. */
export async function typesOf(owner: Db, texts: Iterable<string>): Promise<Map<string, string[]>> {
  const client = await owner.dedicated()
  const types = new Map<string, string[]>()
  try {
    for (const text of new Set(texts)) {
      if (!text.includes('$1')) continue
      await client.query(`prepare bench as ${text}`)
      const { rows } = await client.query<{ types: string[] }>(
        `select parameter_types::text[] as types from pg_prepared_statements where name = 'bench'`,
      )
      await client.query('deallocate bench')
      types.set(text, rows[0]?.types ?? [])
    }
  } finally {
    await client.end()
  }
  return types
}

const PGOPTIONS = '-c plan_cache_mode=force_generic_plan' // as in the service

const TRIES_MAX = 3 // on a busy machine a short turn can be over before its first transaction is

const STOP_MS_MAX = 60_000

export type PgbenchOptions = {
  name: string
  program: string
  url: string
  script: Script
  clients: number
}

export function pgbenchSide({ name, program, url, script, clients }: PgbenchOptions): Side {
  return {
    name,
    async run(seconds) {
      const folder = await mkdtemp(join(tmpdir(), 'lodgeway-pgbench-'))
      try {
        const file = join(folder, 'script.sql')
        await writeFile(file, script.text)
        const { hostname, port, username, password, pathname } = new URL(url)
        const variables = Object.entries(script.variables).map(([variable, value]) => `--define=${variable}=${value}`)
        const PGPASSWORD = decodeURIComponent(password)
        const env = { PATH: process.env['PATH'], PGPASSWORD, PGSSLMODE: 'disable', PGOPTIONS }
        const given = ['--no-vacuum', '--protocol=prepared', `--client=${clients}`, '--jobs=2', `--time=${seconds}`]
          .concat(variables)
          .concat([`--file=${file}`, `--host=${hostname}`, `--port=${port}`, `--username=${username}`])
          .concat(pathname.slice(1))
        for (let tries = 1; ; tries++) {
          const timeout = seconds * 1000 + STOP_MS_MAX // it ends with the transaction under way
          const { stdout } = await promisify(execFile)(program, given, { env, timeout })
          const perSecond = readRate(stdout)
          if (perSecond > 0) return { perSecond }
          if (tries === TRIES_MAX) throw new Error(`pgbench did nothing:\n${stdout}`)
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

function readRate(report: string): number {
  const [, rate = 0] = /^tps = ([\d.]+)/m.exec(report) ?? []
  const [, failed = 0] = /^number of failed transactions: (\d+)/m.exec(report) ?? []
  if (Number(failed) > 0) throw new Error(`pgbench failed:\n${report}`)
  return Number(rate)
}
