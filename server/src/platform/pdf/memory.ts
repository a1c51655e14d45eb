import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What a process holds of the machine's memory at the moment; zero when it is gone. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const text = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)
    return Number(text) * 1024
  } catch {
    return 0
  }
}

async function fromProc(pid: number | undefined): Promise<string> {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes
}

const fromPs = async (pid: number | undefined) =>
  (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
