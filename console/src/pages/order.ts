import { goTo, type Page, type View, type Visit } from '../page.ts'
import type { Form } from '../ui/fields.ts'
import { attempt, errorSummary, onceKey } from '../ui/form.ts'
import { html } from '../ui/html.ts'
import { correctionOf } from './correct.ts'
import { wrongSide } from './errors.ts'
import { BORROWERS_MAX, filledIn, orderBody, orderFields, orderNames, rowsOf, withRows } from './order-form.ts'

/** A lender orders a remortgage: property, borrowers, law firm. */
export const order: Page = {
  show: async (visit) =>
    isLender(visit) ? form(visit, { values: new URLSearchParams({ kind: 'INDIVIDUAL' }) }) : refusal,

  async change(visit) {
    if (!isLender(visit)) return refusal
    const { api, form: sent } = visit
    const [act = '', index] = (sent.get('do') ?? '').split('.')
    if (act === 'add') return form(visit, { values: withRows(sent, [...rowsOf(sent), NOBODY].slice(0, BORROWERS_MAX)) })
    if (act === 'remove') return form(visit, { values: withRows(sent, rowsOf(sent).toSpliced(Number(index), 1)) })
    if (act === 'find') return form(visit, { values: sent })
    const values = filledIn(sent)
    const idempotencyKey = sent.get('key') ?? undefined
    const ordered = await attempt(api.createRemortgageWorkspace({ body: orderBody(values), idempotencyKey }))
    if (ordered.refused) {
      const { status, errors } = ordered.refused
      // All borrowers have the same law firm: one message is enough.
      const told = errors.filter(({ field = '' }) => !/^parties\[[1-9]\]\.participants/.test(field))
      return { ...(await form(visit, { values, refused: { status, errors: told } })), status }
    }
    const { workspaceId } = ordered.done
    const ownReference = sent.get('ownReference')?.trim()
    if (!ownReference) return goTo(`/console/matters/${workspaceId}`)
    const path = { workspace_id: workspaceId }
    const { refused } = await attempt(api.updateWorkspace({ path, body: { ownReference } }))
    if (!refused) return goTo(`/console/matters/${workspaceId}`)
    const wrong = { values: new URLSearchParams({ ownReference }), refused }
    return { ...(await correctionOf(visit, workspaceId, wrong)), status: refused.status }
  },
}

const NOBODY = { forenames: '', surname: '' }
const FIRMS_MAX = 100

const isLender = ({ session }: Visit) => session.person.subscriber?.kind === 'LENDER'

const refusal = wrongSide('Only a lender orders a remortgage.')

async function form({ api }: Visit, shown: Form): Promise<View> {
  const name = shown.values.get('firmName')?.trim()
  const firms = await api.listSubscribers({ query: { kind: 'LAW_FIRM', limit: FIRMS_MAX, ...(name && { name }) } })
  return {
    title: 'Order a remortgage',
    crumbs: [['/console/matters', 'Matters']],
    main: html`${errorSummary(shown.refused, orderNames(shown.values), 'Nothing was ordered')}<h1>Order a remortgage</h1>
<form method="post" action="/console/matters/new" class="order">${onceKey()}
<button class="hidden" name="do" value="order" tabindex="-1" aria-hidden="true">Order</button>
${orderFields(shown, firms)}
<p class="actions"><button name="do" value="order">Order the remortgage</button> <a href="/console/matters">Leave it</a></p></form>`,
  }
}
