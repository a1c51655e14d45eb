import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { blobLocation } from '../platform/blobs/url.ts'
import { type Finding, failure, ok } from './finding.ts'

const PART = 'folder'
const USE = constants.R_OK | constants.W_OK | constants.X_OK

/** The part of `lodgeway doctor` that checks DATA_DIR. Nothing, where the settings name other places for everything. */
export async function examineFolder({ sandbox, databaseUrl, blobUrl, dataDir }: Config): Promise<Finding[]> {
  const isElsewhere = !sandbox && databaseUrl && blobUrl && blobLocation(blobUrl, dataDir).kind === 'folder'
  if (isElsewhere) return []
  const there = await nearest(dataDir)
  if (await isUsable(dataDir)) {
    return [ok(PART, there === dataDir ? dataDir : `${dataDir} does not exist yet; the first start creates it`)]
  }
  if (!(await isFolder(there))) return [failure(PART, `${there} is not a folder.`, 'Set DATA_DIR to another.')]
  const fix = `Give it to this user (sudo chown -R "$(id -un)" '${there}'), or set DATA_DIR to another folder.`
  return [failure(PART, `This user cannot write to ${there}.`, fix)]
}

/** Whether this user can write to the folder, or could create it. */
export async function isUsable(folder: string): Promise<boolean> {
  const there = await nearest(folder)
  const mayUse = () =>
    access(there, USE).then(
      () => true,
      () => false,
    )
  return (await isFolder(there)) && mayUse()
}

/** The path itself or, if it does not exist, the nearest above it that does. */
async function nearest(path: string): Promise<string> {
  const { code } = await stat(path).catch((error) => error)
  return code === 'ENOENT' || code === 'ENOTDIR' ? nearest(dirname(path)) : path
}

// One that this user may not even look at is taken for a folder.
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => true,
  )
