import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary, onceKey, type Refused, signInAgain } from '../ui/form.ts'
import { html } from '../ui/html.ts'

/** Takes back the approval of the case or of the money, so that it can be changed. */
export const unapprove: Page = {
  show: (visit) => form(visit),

  async change(visit) {
    const { api, session, params, form: sent } = visit
    const id = params['id'] ?? ''
    const input = { path: { workspace_id: id }, idempotencyKey: sent.get('key') ?? undefined }
    const body = { action: 'UNAPPROVE', approvedBy: session.person.email } as const
    const { refused } = await attempt<unknown>(
      whatOf(visit) === 'money'
        ? api.approveFinancialSettlementSchedule({ ...input, body })
        : api.approveLodgement({ ...input, body: { ...body, workspaceId: id } }),
    )
    return refused ? form(visit, refused) : goTo(`/console/matters/${id}`)
  },
}

const whatOf = ({ url }: Visit) => (url.searchParams.get('what') === 'money' ? 'money' : 'case')

async function form(visit: Visit, refused?: Refused): Promise<View> {
  const { reference, workspaceId } = await visit.api.getWorkspace({ path: { workspace_id: visit.params['id'] ?? '' } })
  const [matter, what] = [`/console/matters/${workspaceId}`, whatOf(visit)]
  return {
    title: `${reference} take back an approval`,
    crumbs: [[matter, reference]],
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused)}${signInAgain(visit, refused)}<h1>Take back the approval of the ${what}</h1>
<p>The ${what} of ${reference} can then be changed. The lender cannot authorise the funds until it is approved again.</p>
<form method="post">${onceKey()}<p class="actions"><button>Take back the approval</button> <a href="${matter}">Leave it approved</a></p></form>`,
  }
}
