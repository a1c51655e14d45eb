import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openPdfChecker, type PdfChecker, type PdfVerdict } from '../../src/platform/pdf/pdf.ts'

export const LIMITS = { pagesMax: 2_000, unpackedBytesMax: 100_000_000 }

export type Checking = PdfChecker & {
  folder: string
  /** Puts the bytes into the folder, has them checked, and takes them away again. */
  judge(bytes: Buffer): Promise<PdfVerdict>
}

/** A checker and a folder for its files. Both end with the test file, or with `endChecking`. */
export async function checking(checkLimits: Parameters<typeof openPdfChecker>[1] = {}): Promise<Checking> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-pdf-'))
  const checker = openPdfChecker(LIMITS, checkLimits)
  let files = 0
  opened.push(async () => {
    await checker.close()
    await rm(folder, { recursive: true })
  })
  return {
    ...checker,
    folder,
    async judge(bytes) {
      const path = join(folder, String(files++))
      await writeFile(path, bytes)
      try {
        return await checker.check(path)
      } finally {
        await rm(path)
      }
    },
  }
}

const opened: (() => Promise<void>)[] = []
export async function endChecking(): Promise<void> {
  for (const close of opened.splice(0)) await close()
}
after(endChecking)
