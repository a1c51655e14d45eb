import type { Connection } from '../platform/database/db.ts'
import type { Bounds, Key } from '../platform/http/page.ts'
import {
  conditionsOf,
  type Filters,
  partiesOf,
  SIDES,
  type Side,
  type SummaryRow,
  summariesOf,
  WITH_ACTIVITY,
  workspaceOf,
} from '../workspaces/list.ts'
import type { Meaning } from './rules-search.ts'

type Caller = { subscriberId: string; kind: keyof typeof SIDES }

/**
 * The workspaces of the caller of which something begins with what is sought, each once: by the first meaning, then by the
 * next, and by each in the order of what was found. One statement, of which every part follows an index.
 */
export function searchWorkspaces(
  connection: Connection,
  caller: Caller,
  meanings: readonly Meaning[],
  filters: Filters,
  { after, rows }: Bounds<Key>,
): Promise<SummaryRow[]> {
  const side = SIDES[caller.kind]
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const [me, most] = [param(caller.subscriberId), param(rows)]
  const filtered = Object.entries(conditionsOf(side, 'w')).flatMap(([name, condition]) => {
    const value = filters[name as keyof Filters]
    return value === undefined ? [] : [condition.replace('?', param(value))]
  })
  const withActivity = filters.changed_since === undefined ? '' : WITH_ACTIVITY
  const ways = meanings.map((meaning) => wayOf(meaning, side, param(meaning.begins)))
  const [reached = '0', ...last] = after ?? []
  const parts = ways.flatMap(({ from, owner, value, begins, order, tie, isAfter }, rank) => {
    if (rank < Number(reached)) return []
    const isNew = ways.slice(0, rank).map(({ finds }) => `not ${finds}`)
    const isNext = after && rank === Number(reached) ? [isAfter(last, param)] : []
    const conditions = [`${owner}.${side.owner} = ${me}`, begins, ...isNext, ...isNew, ...filtered]
    return `(select w.workspace_id, ${rank} as rank, ${value} as value, ${tie} as minus_seq from ${from} ${withActivity}
      where ${conditions.join(' and ')} order by ${order} limit ${most})`
  })
  const order = 'f.rank, f.value collate "C", f.minus_seq, f.workspace_id'
  const found = `(select * from (${parts.join(' union all ')}) f order by ${order} limit ${most}) f ${workspaceOf('f')}`
  return connection.query<SummaryRow>(summariesOf(found, ['f.rank', 'f.value', 'f.minus_seq'], order), values)
}

/** How a meaning is looked up, with `begins` as the parameter of the beginning. */
type Way = {
  from: string
  owner: 'w' | 'p'
  value: string
  begins: string
  /** Whether a workspace `w` is found this way. */
  finds: string
  order: string
  tie: string
  /** Whether it comes after the last one: its value, `-seq` and id. */
  isAfter: (last: readonly string[], param: (value: unknown) => string) => string
}

function wayOf({ of }: Meaning, { ownReference }: Side, begins: string): Way {
  switch (of) {
    case 'reference':
      return byText('lower(w.reference)', `lower(${begins})`)
    case 'ownReference':
      return byText(`lower(w.${ownReference})`, `lower(${begins})`)
    case 'titleNumber':
      return byText('w.title_number', `${begins}::text`)
    case 'postcode':
      return byText('w.postcode', `${begins}::text`)
    case 'workspaceReferenceId':
      return byNumber('w.workspace_reference_id', begins)
    case 'name':
      return byName(begins)
  }
}

const END = 'chr(1114111)' // no text goes on with it

/** In the order of characters, in which the index is, whatever the collation of the database. */
const byText = (value: string, begins: string): Way => ({
  from: 'workspaces w',
  owner: 'w',
  value,
  begins: `${value} ~>=~ ${begins} and ${value} ~<~ (${begins} || ${END})`,
  finds: `starts_with(coalesce(${value}, ''), ${begins})`,
  order: `${value} using ~<~, -w.seq`,
  tie: '-w.seq',
  isAfter: ([last, minusSeq], param) => {
    const after = param(last)
    return `${value} ~>=~ ${after} and (${value} ~>~ ${after} or -w.seq > ${param(minusSeq)}::bigint)`
  },
})

/** Digits have one order in every collation, so that the unique index serves. */
const byNumber = (value: string, begins: string): Way => ({
  ...byText(value, begins),
  begins: `${value} between rpad(${begins}, 11, '0') and rpad(${begins}, 11, '9')`,
  order: value,
  isAfter: ([last], param) => `${value} > ${param(last)}`,
})

const byName = (begins: string): Way => {
  const named = (party: string) => `${party}.role <> 'OUTGOING_PROPRIETOR' and ${party}.search_name >= ${begins} and
    ${party}.search_name < ${begins} || ${END}`
  const other = `select from ${partiesOf('w')} q where ${named('q')}`
  return {
    from: `parties p ${workspaceOf('p')}`,
    owner: 'p',
    value: 'p.search_name',
    begins: `${named('p')} and not exists (${other} and (q.search_name, q.party_id) < (p.search_name, p.party_id))`,
    finds: `exists (${other})`,
    order: 'p.search_name, p.workspace_id',
    tie: '0',
    isAfter: ([last, , id], param) => `(p.search_name, p.workspace_id) > (${param(last)}, ${param(id)}::uuid)`,
  }
}
