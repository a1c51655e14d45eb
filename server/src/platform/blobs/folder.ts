import { access, constants, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '../sync-path.ts'
import { type BlobStore, hashIn } from './blobs.ts'
import { pouringStream } from './pour.ts'

/** Files below `root`. Each is synced before it gets its name, and its name before anyone relies on it. */
export async function openFolderStore(root: string): Promise<BlobStore> {
  await makeRoot(root)
  const settled = new Set([root])

  // A folder is durable once its parent was synced, by any process. Once in each process is enough.
  const settle = async (folder: string): Promise<void> => {
    const made = await mkdir(folder, { recursive: true })
    if (made === undefined && settled.has(folder)) return
    if (made !== undefined) settled.delete(made)
    await settle(dirname(folder))
    await syncPath(dirname(folder))
    settled.add(folder)
  }

  return {
    async prepare(key, staged) {
      await Promise.all([staged.sync(), settle(dirname(join(root, key)))])
    },

    async put(key, staged) {
      const path = join(root, key)
      if ((await sizeOf(path)) !== staged.size) await staged.moveTo(path)
      // Also for an existing file: the process that put it there may have died before this.
      await syncPath(dirname(path))
    },

    async open(key, range) {
      const file = await open(join(root, key)).catch((error) => {
        throw isMissing(error) ? new Error(`The blob ${key} is missing from its folder.`, { cause: error }) : error
      })
      const { size } = await file.stat()
      if (range && range.start >= size) {
        await file.close()
        throw new RangeError(`The blob ${key} has ${size} bytes, and none at ${range.start}.`)
      }
      if (size === 0) return { size, stream: file.createReadStream() }
      const { start, end } = range ?? { start: 0, end: size - 1 }
      return { size, stream: pouringStream(file, { start, end: Math.min(end, size - 1) }) }
    },

    remove: (key) => rm(join(root, key), { force: true }),

    async *list(after) {
      for await (const path of pathsIn(root, '', after)) {
        const [sha256, size] = [hashIn(path), await sizeOf(join(root, path))]
        if (sha256 !== undefined && size !== undefined && path > after) yield { sha256, size }
      }
    },

    check: () => access(root, constants.W_OK),

    close() {},
  }
}

/** The files two folders down, in order. Folders that lie before `after` are not opened. */
async function* pathsIn(root: string, folder: string, after: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = folder + entry.name
    if (entry.isFile()) yield path
    else if (/^[0-9a-f]{2}$/.test(entry.name) && path >= after.slice(0, path.length))
      yield* pathsIn(root, `${path}/`, after)
  }
}

async function makeRoot(root: string): Promise<void> {
  const first = await mkdir(root, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = root; made !== dirname(first); made = dirname(made)) await syncPath(dirname(made))
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown) => (error as { code?: string } | null)?.code === 'ENOENT'
