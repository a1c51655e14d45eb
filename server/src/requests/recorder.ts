import type { Deps } from '../platform/deps.ts'
import { plainError } from '../platform/jobs/workers.ts'
import { insertRequests, type NewRequest } from './store.ts'

const WRITE_MS = 250
const WAITING_BYTES_MAX = 16_777_216
const ROW_BYTES = 500 // without bodies

export type Recorder = { add(row: NewRequest): void; stop(): Promise<void> }

/** Writes rows in batches, apart from the requests. When the database is slow or down, rows are dropped, and counted. */
export function createRecorder(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { keptHours, onDropped }: { keptHours: number; onDropped(rows: number): void },
): Recorder {
  let waiting: NewRequest[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    const rows = waiting
    waiting = []
    bytes = 0
    if (rows.length === 0) return
    await insertRequests(db, rows, keptHours).catch((error) => {
      onDropped(rows.length)
      log.warn({ err: plainError(error), rows: rows.length }, 'Requests could not be logged.')
    })
  }

  const plan = () => {
    timer ??= setTimeout(() => {
      writing = write().finally(() => {
        timer = undefined
        if (waiting.length > 0) plan()
      })
    }, WRITE_MS).unref()
  }

  return {
    add(row) {
      if (bytes > WAITING_BYTES_MAX) return onDropped(1)
      bytes += ROW_BYTES + (row.detail?.body?.text.length ?? 0) + (row.detail?.answer?.text.length ?? 0)
      waiting.push(row)
      plan()
    },
    async stop() {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}
