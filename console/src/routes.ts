import type { Live } from './live.ts'
import type { Route } from './page.ts'
import { admin } from './pages/admin.ts'
import { adminAudit } from './pages/admin-audit.ts'
import { adminClient } from './pages/admin-client.ts'
import { adminFigureFile, adminFigures } from './pages/admin-figures.ts'
import { adminJobs } from './pages/admin-jobs.ts'
import { adminPeople } from './pages/admin-people.ts'
import { adminPerson } from './pages/admin-person.ts'
import { adminSubscriber } from './pages/admin-subscriber.ts'
import { adminSubscribers } from './pages/admin-subscribers.ts'
import { approve } from './pages/approve.ts'
import { authorise } from './pages/authorise.ts'
import { cancel } from './pages/cancel.ts'
import { caseAndDocuments } from './pages/case.ts'
import { completions } from './pages/completions.ts'
import { confirm } from './pages/confirm.ts'
import { correct } from './pages/correct.ts'
import { deliveries } from './pages/deliveries.ts'
import { delivery } from './pages/delivery.ts'
import { figureFile, figures } from './pages/figures.ts'
import { evidence, file } from './pages/file.ts'
import { files } from './pages/files.ts'
import { help } from './pages/help.ts'
import { listeners } from './pages/listeners.ts'
import { matter } from './pages/matter.ts'
import { matters } from './pages/matters.ts'
import { me } from './pages/me.ts'
import { money } from './pages/money.ts'
import { names } from './pages/names.ts'
import { order } from './pages/order.ts'
import { pay } from './pages/pay.ts'
import { paymentFile } from './pages/payment-file.ts'
import { registrations } from './pages/registrations.ts'
import { reportFile, reports } from './pages/reports.ts'
import { representation } from './pages/representation.ts'
import { request } from './pages/request.ts'
import { requestErrors } from './pages/request-errors.ts'
import { requests } from './pages/requests.ts'
import { requisition } from './pages/requisition.ts'
import { sandbox } from './pages/sandbox.ts'
import { sandboxRun } from './pages/sandbox-run.ts'
import { link, signedIn, signedOut, signIn, stepUp, toProvider } from './pages/sign-in.ts'
import { signature } from './pages/signature.ts'
import { title } from './pages/title.ts'
import { unapprove } from './pages/unapprove.ts'
import { worklist } from './pages/worklist.ts'

/** Every page: address, who may see it, and the page. `nav` is its link at the top. */
export const routesOf = (live: Live): readonly Route[] => [
  { path: '/console/', role: 'viewer', page: worklist, nav: 'Worklist' },
  { path: '/console/completions', role: 'viewer', page: completions, nav: 'Completions' },
  { path: '/console/matters', role: 'viewer', page: matters, nav: 'Matters' },
  { path: '/console/matters/new', role: 'preparer', page: order },
  { path: '/console/matters/:id', role: 'viewer', page: matter },
  { path: '/console/requests', role: 'developer', page: requests, nav: 'Requests' },
  { path: '/console/requests/errors', role: 'developer', page: requestErrors },
  { path: '/console/requests/:id', role: 'developer', page: request },
  { path: '/console/figures', role: 'viewer', page: figures, nav: 'Figures' },
  { path: '/console/figures/:name', role: 'viewer', page: figureFile },
  { path: '/console/reports', role: 'viewer', page: reports, nav: 'Reports' },
  { path: '/console/reports/:name', role: 'viewer', page: reportFile },
  { path: '/console/deliveries', role: 'developer', page: deliveries, nav: 'Deliveries' },
  { path: '/console/deliveries/registrations', role: 'developer', page: registrations },
  { path: '/console/deliveries/listeners', role: 'developer', page: listeners },
  { path: '/console/deliveries/signature', role: 'developer', page: signature },
  { path: '/console/deliveries/:id', role: 'developer', page: delivery },
  { path: '/console/sign-in', role: 'anybody', page: signIn },
  { path: '/console/sign-in/provider', role: 'anybody', page: toProvider },
  { path: '/console/signed-in', role: 'anybody', page: signedIn },
  { path: '/console/link/:token', role: 'anybody', page: link },
  { path: '/console/out', role: 'anybody', page: signedOut },
  { path: '/console/step-up', role: 'signed in', page: stepUp },
  { path: '/console/me', role: 'signed in', page: me },
  { path: '/console/matters/:id/approve', role: 'viewer', change: 'approver', page: approve },
  { path: '/console/matters/:id/authorise', role: 'viewer', change: 'approver', page: authorise },
  { path: '/console/matters/:id/cancel', role: 'preparer', page: cancel },
  { path: '/console/matters/:id/confirm', role: 'approver', page: confirm },
  { path: '/console/matters/:id/unapprove', role: 'approver', page: unapprove },
  { path: '/console/matters/:id/title', role: 'viewer', change: 'preparer', page: title },
  { path: '/console/matters/:id/names', role: 'viewer', change: 'preparer', page: names },
  { path: '/console/matters/:id/representation', role: 'viewer', change: 'preparer', page: representation },
  { path: '/console/matters/:id/order', role: 'viewer', change: 'preparer', page: correct },
  { path: '/console/matters/:id/case', role: 'viewer', change: 'preparer', page: caseAndDocuments },
  { path: '/console/matters/:id/money', role: 'viewer', change: 'preparer', page: money },
  { path: '/console/matters/:id/pay', role: 'approver', page: pay },
  { path: '/console/matters/:id/pay/:format', role: 'viewer', page: paymentFile },
  { path: '/console/matters/:id/requisition', role: 'viewer', change: 'preparer', page: requisition },
  { path: '/console/matters/:id/files', role: 'viewer', change: 'preparer', page: files },
  { path: '/console/matters/:id/files/:file', role: 'viewer', page: file },
  { path: '/console/matters/:id/evidence', role: 'viewer', page: evidence },
  { path: '/console/admin', role: 'operator', page: admin, nav: 'Admin' },
  { path: '/console/admin/subscribers', role: 'operator', page: adminSubscribers, nav: 'Subscribers' },
  { path: '/console/admin/subscribers/:id', role: 'operator', page: adminSubscriber },
  { path: '/console/admin/clients/:id', role: 'operator', page: adminClient },
  { path: '/console/admin/people', role: 'operator', page: adminPeople, nav: 'People' },
  { path: '/console/admin/people/:id', role: 'operator', page: adminPerson },
  { path: '/console/admin/jobs', role: 'operator', page: adminJobs, nav: 'Jobs' },
  { path: '/console/admin/figures', role: 'operator', page: adminFigures, nav: 'Figures' },
  { path: '/console/admin/figures/:name', role: 'operator', page: adminFigureFile },
  { path: '/console/admin/audit', role: 'operator', page: adminAudit, nav: 'Audit' },
  { path: '/console/sandbox', role: 'signed in', page: sandbox, nav: 'Sandbox', onlySandbox: true },
  { path: '/console/sandbox/:run', role: 'signed in', page: sandboxRun, onlySandbox: true },
  { path: '/console/help', role: 'signed in', page: help },
  { path: '/console/live', role: 'signed in', page: live.page },
]
