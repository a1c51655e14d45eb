import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../src/platform/database/db.ts'
import { FINANCIAL, reportPath } from '../fixtures/reports.ts'
import { callerOf, type TestService } from '../fixtures/service.ts'
import { aCreation, CREATE, type Created, LENDER, WORKSPACES } from '../fixtures/workspaces.ts'
import type { Relayed } from './relayed.ts'

const STUCK = 8
const WRITERS = 20

type Call = TestService['call']

type LockSize = { heldMs: number; pauseMs: number }

/** A table is locked while eight requests need it, then a workspace while twenty do; others are served meanwhile. */
export async function proveLocks({ url, db }: Relayed, size: LockSize) {
  const { call } = callerOf(url)
  const { body } = await call<Created>('POST', CREATE, { ...LENDER, json: aCreation() })
  const path = `${WORKSPACES}/${body.workspaceId}`
  const cancel = { ...LENDER, json: { cancellationReason: 'TITLE_COMPLICATIONS' } }
  return {
    tableLocked: await whileLocked(db, size, 'lock table reports', {
      stuck: Array.from({ length: STUCK }, () => () => call('GET', reportPath(FINANCIAL), LENDER)),
      others: { read: () => call('GET', path, LENDER), token: () => freshToken(url) },
    }),
    workspaceLocked: await whileLocked(
      db,
      size,
      `select from workspaces where workspace_id = '${body.workspaceId}' for update`,
      {
        stuck: Array.from({ length: WRITERS }, () => () => call('DELETE', `${path}/cancel-workspace`, cancel)),
        others: {
          read: () => call('GET', path, LENDER),
          create: () => call('POST', CREATE, { ...LENDER, json: aCreation() }),
        },
      },
    ),
  }
}

type Requests = { stuck: (() => ReturnType<Call>)[]; others: Record<string, () => Promise<{ status: number }>> }

/** Repeats requests that need the lock, and at the same time others that do not. */
async function whileLocked(db: Db, { heldMs, pauseMs }: LockSize, lock: string, { stuck, others }: Requests) {
  const holder = await db.dedicated()
  await holder.query('begin')
  await holder.query(lock)
  let isOver = false
  const statuses: Record<string, number> = {}
  const slowestMs: Record<string, number> = {}
  const again = async (name: string, send: () => Promise<{ status: number }>) => {
    while (!isOver) {
      const startedAt = performance.now()
      const { status } = await send()
      statuses[`${name} ${status}`] = (statuses[`${name} ${status}`] ?? 0) + 1
      slowestMs[name] = Math.max(slowestMs[name] ?? 0, Math.round(performance.now() - startedAt))
      if (pauseMs) await delay(pauseMs)
    }
  }
  const load = [
    ...stuck.map((send) => again('stuck', send)),
    ...Object.entries(others).map(([name, send]) => again(name, send)),
  ]
  await delay(heldMs)
  isOver = true
  await Promise.all(load)
  await holder.end()
  return { statuses, slowestMs }
}

async function freshToken(url: string): Promise<{ status: number }> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: LENDER.as,
    client_secret: `${LENDER.as}-secret`,
  })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  await response.arrayBuffer()
  return response
}
