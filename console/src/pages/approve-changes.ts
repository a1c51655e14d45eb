import type { Schemas } from '../../../client/src/index.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime } from '../ui/time.ts'
import { fieldWords, isKnownField, touchedBy, valueWords } from '../words-changes.ts'

// What was changed, by whom: of the case, or of the money.

export type Change = Schemas['WorkspaceChange']
export type Side = 'case' | 'money'

const MONEY_IDS = ['financialSettlementScheduleId', 'lineItemId', 'settlementId']
const DECIDED = /approv|authoris|own reference/
const FIELDS_MAX = 6

/** When it was last approved. */
export const approvedAt = ({ approvals }: { approvals: readonly Schemas['CaseApproval'][] }): string | undefined =>
  approvals.findLast(({ action }) => action === 'APPROVE')?.at

/** Those of one side that a person made, without the decisions themselves. */
export const changesOf = (changes: readonly Change[], side: Side): Change[] =>
  changes.filter(
    ({ ids, action, by }) =>
      by !== 'system' && MONEY_IDS.some((id) => id in ids) === (side === 'money') && !DECIDED.test(action),
  )

/** "Sam Reid changed the deed or its value on 14 Nov 2026, 10:41." */
export const lastChange = (changes: readonly Change[], nameOf: (by: string) => string): Markup | undefined => {
  const last = changes.at(-1)
  return last && html`${nameOf(last.by)} changed ${touchedBy(last.action)} on ${dateTime(last.at)}.`
}

export function changeList(changes: readonly Change[], nameOf: (by: string) => string): Markup {
  return html`<ul class="tasks">${changes.map(
    ({ at, by, action, changes: fields }) =>
      html`<li><div><p><strong>${touchedBy(action)}</strong>${fieldList(fields)}</p><small>${dateTime(at)} · ${nameOf(by)}</small></div><span class="tag is-warn">Changed</span></li>`,
  )}</ul>`
}

function fieldList(fields: Change['changes']): Markup {
  const known = fields.filter(({ field }) => isKnownField(field))
  const shown = known.length > 0 ? known : fields
  const more = shown.length - FIELDS_MAX
  return html`${shown
    .slice(0, FIELDS_MAX)
    .map(
      ({ field, before, after }) =>
        html`<br>${fieldWords(field)}: ${valueWords(field, before)} → ${valueWords(field, after)}`,
    )}${more > 0 && html`<br>and ${counted(more, 'other field')}`}`
}
