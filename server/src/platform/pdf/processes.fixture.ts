import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** The processes that a process has started and that still run. */
export async function childrenOf(pid: number): Promise<number[]> {
  const all = process.platform === 'linux' ? await fromProc() : await fromPs()
  return all.filter(({ parent }) => parent === pid).map(({ child }) => child)
}

type Kin = { child: number; parent: number }

async function fromProc(): Promise<Kin[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(numbers.map(async (number) => readFile(`/proc/${number}/stat`, 'utf8').catch(() => '')))
  return all
    .map((stat) => /^(\d+) \(.*\) (\S) (\d+)/s.exec(stat))
    .filter((found) => found !== null && found[2] !== 'Z')
    .map((found) => ({ child: Number(found?.[1]), parent: Number(found?.[3]) }))
}

async function fromPs(): Promise<Kin[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
      return { child, parent }
    })
}
