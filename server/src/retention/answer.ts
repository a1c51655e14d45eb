import { type Actor, recordAboutWorkspace } from '../audit/record.ts'
import { erasePerson } from '../people/manage.ts'
import type { Db } from '../platform/database/db.ts'
import { eraseMatters } from './erase.ts'
import { reasonToKeep } from './rules.ts'
import type { RetentionSettings } from './settings.ts'
import { findHead, listBlocks, lockMatter } from './store.ts'
import type { Subject, SubjectMatter, SubjectPerson } from './subject.ts'

// What a data subject's request leads to, and the report that is the evidence of it.

type Decision =
  | { decision: 'erased'; audit?: { seq: number; hash: string } }
  | { decision: 'kept'; reason: string; until?: string }
  | { decision: 'exported' }

export type SubjectReport = {
  request: 'export' | 'erase'
  dryRun: boolean
  subject: Subject
  at: string
  by: string
  correlationId: string
  matters: (Pick<SubjectMatter, 'workspaceId' | 'workspaceReferenceId' | 'lender' | 'lawFirm' | 'status'> & {
    endedAt?: string
    /** How many rows with the surname were found, by table. */
    foundIn: Record<string, number>
  } & Decision)[]
  people: (Omit<SubjectPerson, 'enabled'> & Decision)[]
}

export type Answering = { settings: RetentionSettings; actor: Actor; dryRun: boolean }

/** Erases a matter that need not be kept, or says why it stays. Both are recorded in the chain of the matter. */
export function eraseForSubject(
  db: Db,
  { workspaceId }: SubjectMatter,
  { settings, actor, dryRun }: Answering,
): Promise<Decision> {
  return db.transaction(async (tx) => {
    await lockMatter(tx, workspaceId)
    const [matter] = await listBlocks(tx, [workspaceId])
    if (!matter) return { decision: 'erased' } // in the meantime, by the nightly job
    const kept = reasonToKeep(matter, settings, actor.at)
    if (dryRun) return kept ? { decision: 'kept', ...kept } : { decision: 'erased' }
    if (kept) {
      const entry = { action: 'erasure refused', ids: { workspaceId }, after: kept }
      recordAboutWorkspace(tx, workspaceId, entry, actor)
      return { decision: 'kept', ...kept }
    }
    await eraseMatters(tx, [workspaceId], 'SUBJECT_REQUEST', actor)
    return { decision: 'erased', ...(await findHead(tx, workspaceId)) }
  })
}

/** Makes a person who lost access unrecognisable. Approvals and audit keep the e-mail address (docs/privacy.md). */
export async function erasePersonForSubject(
  db: Db,
  { personId, enabled, email }: SubjectPerson,
  { actor, dryRun }: Answering,
): Promise<Decision> {
  if (enabled) return { decision: 'kept', reason: `${email} has access: run \`lodgeway person disable\` first` }
  if (!dryRun) await db.transaction(async (tx) => erasePerson(tx, personId, actor))
  return { decision: 'erased' }
}

export const noteExport = (db: Db, { workspaceId }: SubjectMatter, actor: Actor): Promise<void> =>
  db.transaction(async (tx) =>
    recordAboutWorkspace(tx, workspaceId, { action: 'exported for a data subject', ids: { workspaceId } }, actor),
  )
