import { actorOf } from '../server/src/auth/actor.ts'
import { readConfig } from '../server/src/config.ts'
import type { Deps } from '../server/src/platform/deps.ts'
import { notFound } from '../server/src/platform/errors.ts'
import { sendWithEtag } from '../server/src/platform/http/etag.ts'
import type { App } from '../server/src/platform/http/http.ts'
import { idempotentTransaction } from '../server/src/platform/http/idempotency.ts'
import { Type, Uuid } from '../server/src/platform/http/schema.ts'
import { type Service, startService } from '../server/src/service.ts'
import { serveParent } from './helper.ts'
import { addRow, findRow, NewRow, presentRow } from './rows.ts'

// The service as `lodgeway serve` runs it, with two more routes: the smallest read and the smallest write of one row.

let service: Service | undefined
let checker: Deps['pdf'] | undefined
let endChecks = async () => {}

serveParent(
  {
    start: async () => {
      const config = readConfig(process.env, { sandbox: false, part: 'serve' })
      service = await startService(config, { http: true, worker: false, extra: benchRoutes })
      return service.url
    },
    /** Whether uploads are checked to be valid PDFs, or all accepted. */
    checkPdfs: async (isOn: boolean) => {
      if (!service) throw new Error('The service is not started.')
      checker ??= service.deps.pdf
      service.deps.pdf = isOn ? checker : { check: async () => ({ ok: true, pages: 1 }), close: async () => {} }
    },
    /** Checks these files repeatedly, several at once. */
    startChecks: async (paths: string[]) => {
      const pdf = checker ?? service?.deps.pdf
      if (pdf) endChecks = keepChecking(pdf, paths)
    },
    stopChecks: () => endChecks(),
    /** Removes the blobs that no row refers to. */
    sweep: async () => service?.deps.blobs.sweep(service.deps.db, { ageMs: 0 }),
  },
  async () => service?.stop(),
)

const CHECKS_AT_ONCE = 8

function keepChecking({ check }: Deps['pdf'], paths: readonly string[]): () => Promise<void> {
  let [turn, isOver] = [0, false]
  const one = async () => {
    while (!isOver) await check(paths[turn++ % paths.length] ?? '')
  }
  const all = Promise.all(Array.from({ length: CHECKS_AT_ONCE }, one))
  return async () => {
    isOver = true
    await all
  }
}

function benchRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/bench/rows/:row_id',
    config: { scope: 'view:workspaces', undocumented: true },
    schema: { params: Type.Object({ row_id: Uuid() }) },
    handler: async (request, reply) => {
      const row = await findRow(deps.db.read, request.caller.subscriberId, request.params.row_id)
      if (!row) throw notFound('row_id', 'There is no such row.')
      return sendWithEtag(request, reply, presentRow(row))
    },
  })

  app.route({
    method: 'POST',
    url: '/bench/rows',
    config: { scope: 'edit:workspace_parties', undocumented: true },
    schema: { body: NewRow },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const row = addRow(tx, request.caller.subscriberId, request.body, actorOf(request, deps.clock))
        reply.code(201)
        return row
      }),
  })
}
