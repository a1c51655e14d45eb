import { conflict } from '../platform/errors.ts'
import type { SearchFailure, SearchOutcome } from '../registry/port.ts'
import type { Register } from '../registry/register.ts'
import { nameFrom } from '../workspaces/names.ts'
import type { Proprietor } from '../workspaces/ownership.ts'
import type { SearchStatus } from '../workspaces/status.ts'

export const SEARCH_JOB = 'titles.search'

export type SearchPayload = { workspaceId: string; titleId: string }

/** What can happen to the title of a workspace. */
export type TitleChange =
  | { kind: 'title added'; titleId: string; titleNumber: string }
  | { kind: 'title removed'; titleId: string }
  | { kind: 'title search begun' }
  | { kind: 'title search failed'; reason: SearchFailure }
  | {
      kind: 'title received'
      titleDocumentId: string
      register: Register
      officialCopyAt: Date
      proprietors: readonly Proprietor[]
    }

type Searched = { titleId: string; titleNumber: string; searchStatus: SearchStatus } | undefined

/** One title to a workspace; a number whose search failed gives way to another. */
export function addTitle(present: Searched, titleNumber: string, titleId: string): TitleChange[] {
  if (present && present.searchStatus !== 'FAILED') {
    const message = `The workspace has the title ${present.titleNumber} already.`
    throw conflict({ field: 'titleNumber', message })
  }
  return [{ kind: 'title added', titleId, titleNumber }]
}

/** Whether the registry's answer is still awaited: one that comes twice, late, or for a title that was replaced is not. */
export const isAwaited = (present: Searched, titleId: string): boolean =>
  present?.titleId === titleId && (present.searchStatus === 'INITIATED' || present.searchStatus === 'PENDING')

/** The registry is asked; that it was asked before is known already. */
export const beginSearch = (present: Searched, titleId: string): TitleChange[] =>
  isAwaited(present, titleId) && present?.searchStatus === 'INITIATED' ? [{ kind: 'title search begun' }] : []

/** What its answer changes. One that is to come later changes nothing. */
export function endSearch(
  present: Searched,
  titleId: string,
  outcome: SearchOutcome,
  newId: () => string,
): TitleChange[] {
  if (!isAwaited(present, titleId) || outcome.kind === 'later') return []
  if (outcome.kind === 'failed') return [{ kind: 'title search failed', reason: outcome.reason }]
  const { register, officialCopyAt } = outcome
  const proprietors = proprietorsOf(register, newId)
  return [{ kind: 'title received', titleDocumentId: newId(), register, officialCopyAt, proprietors }]
}

/** Names are stored as parties' names are, so that one that is set back is the same again. */
function proprietorsOf(register: Register, newId: () => string): Proprietor[] {
  return register.proprietors.map((party) => {
    const name = nameFrom(party.type, party)
    const aliases =
      party.type === 'INDIVIDUAL' ? party.aliases.map(({ forenames, surname }) => `${forenames} ${surname}`) : []
    return { proprietorId: newId(), name, registeredName: name, aliases, outgoing: false }
  })
}
