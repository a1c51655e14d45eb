import { call } from './call.ts'
import { type Context, operationOf } from './perform.ts'
import type { Input, PagedId, PageOf, RecordOf } from './types.ts'

type LoosePage = { records: unknown[]; nextCursor?: string }

/** Page after page, each fetched only when the one before it has been used. */
export async function* pages<Id extends PagedId>(
  context: Context,
  id: Id,
  input?: Input<Id>,
): AsyncGenerator<PageOf<Id>, void, void> {
  const parameter = operationOf(id).pages ?? 'cursor'
  const query: Record<string, unknown> = { ...input?.query }
  for (;;) {
    const page = (await call(context, id, { ...input, query })).data as LoosePage
    // The event feed always returns a cursor. Its end is a page without records.
    if (parameter === 'after' && page.records.length === 0) return
    yield page as PageOf<Id>
    if (page.nextCursor === undefined) return
    query[parameter] = page.nextCursor
  }
}

/** The records of all pages, one by one. */
export function records<Id extends PagedId>(
  context: Context,
  id: Id,
  input?: Input<Id>,
): AsyncGenerator<RecordOf<Id>, void, void> {
  return flatten(pages(context, id, input)) as AsyncGenerator<RecordOf<Id>, void, void>
}

async function* flatten(all: AsyncIterable<{ records: unknown[] }>): AsyncGenerator<unknown, void, void> {
  for await (const page of all) yield* page.records
}
