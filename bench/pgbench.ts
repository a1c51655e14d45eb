import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Side } from './harness.ts'

// The limit of anything in PostgreSQL here: its own load generator with the same statements on the same database.

export type Script = { text: string; variables: Readonly<Record<string, string>> }

export const PGBENCH_MISSING =
  'pgbench was not found, in PATH or below /usr/lib/postgresql: without it there is no limit to compare with. ' +
  "Debian's package `postgresql-contrib` or `postgresql` contains it."

export const findPgbench = () => findProgram('pgbench')

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

export type PgbenchOptions = { name: string; program: string; url: string; script: Script; clients: number }

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
        const { stdout } = await promisify(execFile)(
          program,
          ['--no-vacuum', '--protocol=prepared', `--client=${clients}`, '--jobs=2', `--time=${seconds}`]
            .concat(variables)
            .concat([`--file=${file}`, `--host=${hostname}`, `--port=${port}`, `--username=${username}`])
            .concat(pathname.slice(1)),
          { env: { PATH: process.env['PATH'], PGPASSWORD: decodeURIComponent(password), PGSSLMODE: 'disable' } },
        )
        return { perSecond: readRate(stdout) }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

function readRate(report: string): number {
  const [, rate] = /^tps = ([\d.]+)/m.exec(report) ?? []
  const [, failed] = /^number of failed transactions: (\d+)/m.exec(report) ?? []
  if (rate === undefined || Number(failed ?? 0) > 0) throw new Error(`pgbench failed:\n${report}`)
  return Number(rate)
}
