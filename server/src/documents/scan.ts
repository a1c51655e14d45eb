import type { Deps } from '../platform/deps.ts'
import { plainError } from '../platform/jobs/workers.ts'

const SCAN_AGAIN_SECONDS = [10, 60, 300, 900]

/**
 * Whether a stored file is clean. Where there is no scanner it is taken as clean; where scanner or store are away, the file
 * waits and is looked at again at `againAt`.
 */
export async function scanFile(
  { blobs, scanner, log }: Pick<Deps, 'blobs' | 'scanner' | 'log'>,
  { fileId, sha256, correlationId }: { fileId: string; sha256: string; correlationId: string },
  { failures, now }: { failures: number; now: Date },
): Promise<{ clean: boolean } | { againAt: Date }> {
  if (!scanner) return { clean: true }
  try {
    const { stream } = await blobs.open(sha256)
    const result = await scanner.scan(stream)
    if (!result.clean) log.warn({ fileId, correlationId, finding: result.finding }, 'A virus was found in a file.')
    return result
  } catch (error) {
    const seconds = SCAN_AGAIN_SECONDS[Math.min(failures, SCAN_AGAIN_SECONDS.length - 1)] ?? 0
    const about = { fileId, correlationId, err: plainError(error), againInSeconds: seconds }
    log.error(about, 'A file could not be scanned: it waits.')
    return { againAt: new Date(now.getTime() + seconds * 1000) }
  }
}
