import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes a generated file whole or not at all: what was there stays until the new content is complete. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const staged = `${path}.new-${process.pid}`
  try {
    await writeFile(staged, content)
    await rename(staged, path)
  } finally {
    await rm(staged, { force: true })
  }
}
