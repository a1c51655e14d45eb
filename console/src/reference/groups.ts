import type { Method, OpenApiDocument, Operation } from './document.ts'

export type Placed = { method: Method; path: string; operation: Operation }
export type Group = { name: string; about: string; operations: Placed[] }

/** Where the guide explains the operations of a group. */
export const GUIDE_PAGES: Readonly<Record<string, string>> = {
  Authentication: 'getting-started',
  Workspaces: 'create-and-reconcile',
  Titles: 'create-and-reconcile',
  'Title reconciliation': 'create-and-reconcile',
  Representation: 'represent',
  Lodgement: 'approve',
  Settlement: 'settle',
  Documents: 'prepare-and-upload',
  Reports: 'reports',
  Notifications: 'webhooks',
  Requests: 'errors',
  Sandbox: 'sandbox',
}

/** The operations by their first tag, in the order of the tags. */
export function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation }) as Placed),
  )
  return tags
    .map(({ name, description }) => ({
      name,
      about: description,
      operations: all.filter(({ operation }) => operation.tags?.[0] === name),
    }))
    .filter(({ operations }) => operations.length > 0)
}
