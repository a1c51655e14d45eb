import type { Interface, Operation } from '../document.ts'

// What an assistant may do. In a sandbox everything. In a live service it reads; it changes something only where the person
// who started the server allowed that; and it never decides, because four eyes are those of people.

export type Access = {
  isLive: boolean
  /** Started with `--allow-writes`. */
  allowsWrites: boolean
}

/** A decision as the service defines it: by its scope. */
const DECISION_SCOPE = /^x-api:(un)?(approve|authorise):/
/** Or the body names the person who decides. */
const DECIDED_BY = ['approvedBy', 'confirmedBy']

type Known = Pick<Interface, 'schemaAt'>

/** Why an operation is not offered, and what to do instead. Undefined if it is offered. */
export function refusalOf(operation: Operation, access: Access, known: Known): string | undefined {
  const { operationId: id, method, path, body } = operation
  if ('multipart/form-data' in body)
    return `${id} sends a file. A person does that, with \`lodgeway upload\` or in the console.`
  if ('application/x-www-form-urlencoded' in body) return `${id} issues an access token, and this server has its own.`
  if (!access.isLive) return undefined
  if (path.startsWith('/sandbox/')) return `${id} exists only in a sandbox, and this service is live.`
  if (isDecision(operation, known))
    return `${id} is a decision, which only people make: ask a person to do it in the console.`
  if (method !== 'GET' && !access.allowsWrites)
    return `${id} changes something, and this service is live. Ask the person who started this server whether to start it with --allow-writes.`
  return undefined
}

export const isDecision = (operation: Operation, { schemaAt }: Known): boolean =>
  scopesOf(operation).some((scope) => DECISION_SCOPE.test(scope)) ||
  Object.values(operation.body).some(({ schema }) => DECIDED_BY.some((field) => schemaAt(schema, [field])))

/** The scopes of what is offered: an access token needs no others. */
export function scopesFor(operations: readonly Operation[], access: Access, known: Known): Set<string> {
  const offered = operations.filter((one) => refusalOf(one, access, known) === undefined)
  return new Set(offered.flatMap(scopesOf))
}

const scopesOf = ({ security = [] }: Operation): string[] => security.flatMap(({ oauth2 = [] }) => oauth2)
