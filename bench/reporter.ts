import { openBlobs } from '../server/src/platform/blobs/blobs.ts'
import { openDb } from '../server/src/platform/database/db.ts'
import { openReporter } from '../server/src/reports/generate.ts'
import type { ReportName } from '../server/src/reports/rules.ts'
import { listMissing } from '../server/src/reports/store.ts'
import { serveParent } from './helper.ts'

// A process that only makes reports, so that its memory is what they need.

export type Order = { databaseUrl: string; dataDir: string; subscriberId: string; name: ReportName; date: string }
export type Delivered = { rows: number; seconds: number; sha256: string; peakMiB: number }

serveParent({
  async make({ databaseUrl, dataDir, subscriberId, name, date }: Order): Promise<Delivered> {
    const db = openDb({ url: databaseUrl, poolSize: 2 })
    const blobs = await openBlobs({ url: undefined, dataDir })
    const reporter = openReporter({ db, blobs })
    try {
      await db.query('delete from reports where subscriber_id = $1 and report_name = $2', [subscriberId, name])
      const [missing] = await listMissing(db, [date], [subscriberId])
      if (!missing) throw new Error(`Nothing is missing of ${date}.`)
      const startedAt = performance.now()
      const [made] = await reporter.make({ ...missing, names: [name] }, { correlationId: 'bench', at: new Date() })
      const seconds = (performance.now() - startedAt) / 1000
      if (!made) throw new Error('Another process made it.')
      const peakMiB = process.resourceUsage().maxRSS / 1024 // of the whole life of the process
      return { rows: made.rowCount, sha256: made.sha256, seconds, peakMiB }
    } finally {
      await reporter.close()
      await db.close()
      blobs.close()
    }
  },
})
