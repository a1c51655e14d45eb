import type { SubscriberKind } from '../auth/store.ts'
import type { Connection } from '../platform/database/db.ts'
import type { Bounds, Key } from '../platform/http/page.ts'

type Found = { subscriberId: string; name: string; kind: SubscriberKind; key: Key }

/** A lender sees the law firms, a law firm the lenders that it shares a workspace with. */
const VISIBLE = {
  LENDER: `kind = 'LAW_FIRM'`,
  LAW_FIRM: `kind = 'LENDER' and exists (
    select from workspaces w where w.law_firm_id = $1 and w.lender_id = s.subscriber_id)`,
}

export const listDirectory = (
  connection: Connection,
  caller: { subscriberId: string; kind: SubscriberKind },
  { kind, name }: { kind?: SubscriberKind; name?: string },
  { after, rows }: Bounds<Key>,
): Promise<Found[]> =>
  connection.query<Found>(
    `select subscriber_id as "subscriberId", name, kind, jsonb_build_array(${NAME}, subscriber_id) as key
       from subscribers s
      where subscriber_id <> $1 and status = 'ACTIVE' and ${VISIBLE[caller.kind]}
        and ($2::text is null or kind = $2) and ($3::text is null or lower(name) ~ $3)
        and ($4::text is null or (${NAME}, subscriber_id) > ($4, $5::uuid))
      order by ${NAME}, subscriber_id limit $6`,
    [caller.subscriberId, kind ?? null, name === undefined ? null : atWord(name), ...(after ?? [null, null]), rows],
  )

const NAME = `lower(name) collate "C"`

/** A regular expression for the text at the beginning of a word. */
const atWord = (text: string): string =>
  `(^|[^[:alnum:]])${text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\s]/gu, '\\$&')}`
