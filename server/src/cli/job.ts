import { PERSONAL_KEYS } from '../personal-data.ts'
import { realClock } from '../platform/jobs/clock.ts'
import { openQueue, type Queue } from '../platform/jobs/queue.ts'
import { createLogger } from '../platform/operations/log.ts'
import { type Commands, uuid } from './input.ts'
import { type Operation, onDatabase } from './operate.ts'
import { table } from './table.ts'

export const commands: Commands = {
  dead: onQueue(async (queue) =>
    table(
      ['id', 'job', 'attempts', 'died at', 'error'],
      (await queue.listDead()).map((one) => [one.id, one.job, one.attempts, one.diedAt.toISOString(), one.error ?? '']),
    ),
  ),

  retry: onQueue(async (queue, { names }) => {
    const count = await queue.retryDead(names[0] === 'all' ? 'all' : names.map(jobId))
    return `${count} jobs will run again.`
  }),
}

const jobId = (name: string): string => uuid(name, 'the id of a job', 'lodgeway job dead')

function onQueue(work: (queue: Queue, operation: Operation) => Promise<string>) {
  return onDatabase(async (operation) => {
    const { config, db, url } = operation
    const queue = await openQueue({
      db,
      url,
      clock: realClock,
      log: createLogger({ level: config.logLevel, personalKeys: PERSONAL_KEYS }),
    })
    try {
      return await work(queue, operation)
    } finally {
      await queue.stop()
    }
  })
}
