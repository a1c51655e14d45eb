import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { guardedAgent, systemResolve } from '../server/src/notifications/connect.ts'
import { post } from '../server/src/notifications/post.ts'
import { newSharedSecret, signedHeaders } from '../server/src/notifications/sign.ts'

// The same deliveries as jobs of a pg-boss queue with the policy `key_strict_fifo`, a key for each partition. It does less
// than the dispatcher: it saves no attempts, has no retry schedule on the business clock, and gives feeds no positions.

const QUEUE = 'bench.deliver'
const INSERT_MAX = 1_000
const SSRF_POLICY = 'public and loopback'
const secret = newSharedSecret()

/** One row while jobs are left. */
export const FIFO_WAITING = `select 1 from pgboss.job where name = '${QUEUE}' and state < 'completed' limit 1`

/** The number of workers, and of jobs that each fetches at once. A batch is complete when its slowest job is. */
export type FifoShape = { workers: number; jobs: number }

type Order = { uri: string; data: Record<string, string> }

export type FifoWorker = {
  begin(): Promise<void>
  /** Like the publisher. */
  insert(orders: readonly (Order & { key: string })[]): Promise<void>
  stop(): Promise<void>
}

export async function startFifo(ownerUrl: string, { workers, jobs }: FifoShape): Promise<FifoWorker> {
  const boss = new PgBoss({ connectionString: ownerUrl, max: 16, migrate: false, useListenNotify: true })
  boss.on('error', (error) => process.stderr.write(`${error.message}\n`))
  await boss.start()
  if (!(await boss.getQueue(QUEUE))) await boss.createQueue(QUEUE, { policy: 'key_strict_fifo', notify: true })
  const sender = { dispatcher: guardedAgent(SSRF_POLICY, systemResolve()), ssrfPolicy: SSRF_POLICY } as const

  async function send({ uri, data }: Order): Promise<void> {
    const id = randomUUID()
    const body = JSON.stringify({ id, type: 'WORKSPACE_CANCELLED', timestamp: new Date().toISOString(), data })
    const headers = signedHeaders([secret], { id, body, sentAt: new Date() })
    const { status, error } = await post(sender, { uri, headers, body }, new Date())
    if (status !== 200) throw new Error(`The receiver answered ${status ?? error}.`)
  }

  async function startOne(): Promise<void> {
    const settings = { batchSize: jobs, pollingIntervalSeconds: 1 }
    const workerId: string = await boss.work<Order>(QUEUE, settings, async (claims) => {
      boss.notifyWorker(workerId) // there may be more
      await Promise.all(claims.map(({ data }) => send(data)))
    })
  }

  return {
    begin: async () => void (await Promise.all(Array.from({ length: workers }, startOne))),
    async insert(orders) {
      for (let from = 0; from < orders.length; from += INSERT_MAX) {
        const batch = orders.slice(from, from + INSERT_MAX)
        await boss.insert(
          QUEUE,
          batch.map(({ key, ...data }) => ({ data, singletonKey: key })),
        )
      }
    },
    async stop() {
      await boss.offWork(QUEUE)
      await boss.deleteAllJobs(QUEUE)
      await boss.stop({ graceful: false })
    },
  }
}
