import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// A process holds a lock by listening on a socket. The system closes it with the process, however that ends.

const PATH_BYTES_MAX = 100
const SETTLING_MS = 100

/** Undefined if another process has it. */
export async function lock(stateFile: string): Promise<{ release(): Promise<void> } | undefined> {
  const path = socketOf(stateFile)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  for (;;) {
    const server = createServer((socket) => socket.destroy()).unref()
    if (await canListen(server, path)) {
      const mine = fileAt(path)
      return { release: () => release(server, path, mine) }
    }
    const found = fileAt(path)
    if (await isAnswered(path)) return undefined
    // What a killed process left. Removed only if it is still the same file, and not one that was just made.
    if (found === undefined || found !== fileAt(path)) continue
    rmSync(path, { force: true })
    if (!(await canListen(server, path))) return undefined
    const mine = fileAt(path)
    await delay(SETTLING_MS) // another one that found the same file may have removed ours
    if (mine === fileAt(path)) return { release: () => release(server, path, mine) }
    server.close()
    return undefined
  }
}

/** The name of a socket must be short. */
function socketOf(stateFile: string): string {
  const path = stateFile.replace(/\.json$/, '.lock')
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : join(tmpdir(), `lodgeway-${basename(path)}`)
}

async function canListen(server: Server, path: string): Promise<boolean> {
  try {
    server.listen(path)
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return false
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Which file it is: its number alone may be given to the next one. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.ino} ${found.ctimeNs}`
}

/** Closing removes the file, so it must not be another one's by now. */
async function release(server: Server, path: string, mine: string | undefined): Promise<void> {
  if (fileAt(path) !== mine) return
  server.close()
  await once(server, 'close')
}
