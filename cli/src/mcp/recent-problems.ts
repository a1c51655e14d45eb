import { randomUUID } from 'node:crypto'
import { isApiError, type Schemas } from '../../../client/src/index.ts'
import { type Desk, findMatter, type Tool } from './tool.ts'

const LIMIT = 20

export const recentProblems = (desk: Desk): Tool => ({
  name: 'recent_problems',
  title: 'Recent problems',
  description:
    'The newest requests of this organisation that were refused or failed, each with its errors by field, and the webhook ' +
    'deliveries that failed, each with the reason. Outside the sandbox requests are logged only while the operator has switched that on.',
  input: {
    type: 'object',
    properties: {
      matter: {
        type: 'string',
        minLength: 2,
        description: 'Only of this matter: its reference, LW number or workspaceId.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: LIMIT, description: 'How many of each at most.' },
    },
  },
  isReadOnly: true,
  async run({ matter, limit = LIMIT }) {
    const correlationId = randomUUID()
    const workspaceId = matter === undefined ? undefined : await findMatter(desk, matter)
    const query = { limit: Number(limit), ...(workspaceId && { workspace_id: workspaceId }) }
    const { client } = desk
    const requests = (status: '4xx' | '5xx') => client.listRequests({ query: { ...query, status }, correlationId })
    const deliveries = (status: 'PENDING' | 'DEAD') =>
      client.listNotifications({ query: { ...query, status }, correlationId })
    const [refused, failed, waiting, dead] = await Promise.all([
      recordsOf(requests('4xx')),
      recordsOf(requests('5xx')),
      recordsOf(deliveries('PENDING')),
      recordsOf(deliveries('DEAD')),
    ])
    return {
      correlationId,
      requests: bothOf(refused, failed, requestOf),
      deliveries: bothOf(dead, waiting, deliveryOf),
      next: 'read_docs explains a status or an operation by its name. A failed delivery is sent again with retryNotification.',
    }
  },
})

/** Or why they may not be read. */
async function recordsOf<T>(page: Promise<{ records: T[] }>): Promise<T[] | string> {
  try {
    return (await page).records
  } catch (error) {
    if (isApiError(error, 403)) return `Not readable: ${error.errors[0]?.message ?? error.message}`
    throw error
  }
}

function bothOf<T>(some: T[] | string, others: T[] | string, shown: (one: T) => object | undefined): unknown {
  if (typeof some === 'string') return some
  if (typeof others === 'string') return others
  return [...some, ...others].map(shown).filter((one) => one !== undefined)
}

function requestOf({
  at,
  operation,
  method,
  route,
  status,
  errors,
  workspaceId,
  requestId,
  correlationId,
}: Schemas['LoggedRequest']) {
  return { at, operation: operation ?? `${method} ${route}`, status, errors, workspaceId, requestId, correlationId }
}

/** Undefined for one that waits without having failed. */
function deliveryOf({ notificationId, type, status, workspaceId, nextAttemptAt, attempts }: Schemas['Notification']) {
  const last = attempts.at(-1)
  if (!last) return undefined
  const reason = last.error ?? `The receiver answered ${last.status}: ${last.response ?? ''}`
  return {
    notificationId,
    type,
    status,
    workspaceId,
    attempts: attempts.length,
    lastAt: last.at,
    reason,
    nextAttemptAt,
  }
}
