import type { Page, View } from '../page.ts'
import { attempt } from '../ui/form.ts'
import { html } from '../ui/html.ts'
import { notFound } from './errors.ts'
import { oneOf } from './query.ts'

const FORMATS = { PAIN_001: true, CSV: true }

/** The payments of a matter as a file for the bank; or why there is none. */
export const paymentFile: Page = {
  async show({ api, params }) {
    const format = oneOf(FORMATS, params['format'] ?? null)
    const { records } = await api.getFinancialSettlementSchedules({ query: { workspace_id: params['id'] ?? '' } })
    const id = records[0]?.financialSettlementScheduleId
    if (!format || !id) return notFound()
    const path = { financial_settlement_schedule_id: id }
    const { done, refused } = await attempt(api.download('getPaymentFile', { path, query: { format } }))
    if (!refused) {
      const headers = { 'content-disposition': done.headers.get('content-disposition') ?? '' }
      return new Response(done.stream, { headers: { ...headers, 'content-type': 'application/octet-stream' } })
    }
    return {
      status: refused.status,
      title: 'No payment file',
      main: html`<h1>There is no payment file</h1><ul>${refused.errors.map(({ message }) => html`<li>${message}</li>`)}</ul>
<p><a href="/console/matters/${params['id']}/pay">Back to the payments</a></p>`,
    } satisfies View
  },
}
