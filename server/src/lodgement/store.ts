import { type Actor, actorName } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import { personOf, remembering } from '../workspaces/four-eyes.ts'
import type { Particulars } from './rules.ts'

/**
 * To be called with every change to an application or to a document attached to one: the person whom it names may not
 * approve the case.
 */
export function markChanged(tx: Transaction, lodgementCaseId: string, actor: Actor): void {
  tx.send(
    `update lodgement_cases set last_modified_at = $2, last_modified_by = $3, ${remembering('$4')}
      where lodgement_case_id = $1`,
    [lodgementCaseId, actor.at, actorName(actor), personOf(actor)],
  )
}

export function saveParticulars(tx: Transaction, applicationId: string, particulars: Particulars, actor: Actor): void {
  const { transactionValuePence, mortgageDeedReference, mortgageDeedReferenceType, isEffective } = particulars
  tx.send(
    `update lodgement_applications set transaction_value_pence = $2, mortgage_deed_reference = $3,
       mortgage_deed_reference_type = $4, is_effective = $5, last_modified_at = $6, last_modified_by = $7
      where application_id = $1`,
    [
      applicationId,
      transactionValuePence ?? null,
      mortgageDeedReference ?? null,
      mortgageDeedReferenceType ?? null,
      isEffective ?? null,
      actor.at,
      actorName(actor),
    ],
  )
}
