import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import type { Db } from '../server/src/platform/database/db.ts'

// Whether a measurement had the machine to itself. Only Linux reports the CPU time of each process.

/** Runs something and returns the share of the machine that others used meanwhile: processes, or machines of its host. */
export async function withOthers<T>(run: () => Promise<T>): Promise<{ result: T; othersShare: number | undefined }> {
  const before = await usage()
  const result = await run()
  const after = await usage()
  if (before === undefined || after === undefined) return { result, othersShare: undefined }
  const others = after.busy - before.busy - (after.own - before.own)
  return { result, othersShare: Math.max(0, others / (after.all - before.all)) }
}

type Usage = { all: number; busy: number; own: number }

async function usage(): Promise<Usage | undefined> {
  if (process.platform !== 'linux') return undefined
  const own = await cpuMsOf(process.pid)
  // user, nice, system, idle, iowait, irq, softirq, steal: what other machines of the host took
  const [first = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const times = first.split(/\s+/).slice(1, 9).map(Number)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0) * MS_PER_TICK
  return { all: sum(times), busy: sum(times) - sum(times.slice(3, 5)), own }
}

/** The CPU time of a process and its descendants, also ended ones: of this one with PostgreSQL and its connections. */
export async function cpuMsOf(root: number): Promise<number> {
  const processes = new Map((await readProcesses()).map((one) => [one.pid, one]))
  const isOwn = (pid: number): boolean => pid === root || (pid > 1 && isOwn(processes.get(pid)?.parent ?? 0))
  let ticks = 0
  for (const one of processes.values()) if (isOwn(one.pid)) ticks += one.ticks
  return ticks * MS_PER_TICK
}

const MS_PER_TICK = 10 // USER_HZ is 100 on every Linux that Node runs on

async function readProcesses(): Promise<{ pid: number; parent: number; ticks: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.filter(Boolean).map((stat) => {
    // After the name, which may hold anything: state, parent, …; the 12th to the 15th are its own and its ended children's.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((total, value) => total + Number(value), 0)
    return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), ticks }
  })
}

/** The machine on which the figures were measured. */
export async function machineOf(owner: Db): Promise<Record<string, string | number>> {
  const [database] = await owner.query<{ version: string; fsync: string; synchronousCommit: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as "synchronousCommit"`,
  )
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    postgres: `${database?.version}, fsync ${database?.fsync}, synchronous_commit ${database?.synchronousCommit}`,
  }
}
