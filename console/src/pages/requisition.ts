import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import type { Form } from '../ui/fields.ts'
import { attempt, errorSummary, field, onceKey } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime, day, daysBetween } from '../ui/time.ts'
import { REQUISITION_WORDS } from '../words.ts'
import { documentName, type File, isCurrent } from './file-list.ts'
import { type Part, partOf } from './matter-part.ts'

const EMPTY: Form = { values: new URLSearchParams() }

/** What the registry asks, how long there is to answer, and the answer. */
export const requisition: Page = {
  show: async (visit) => shown(visit, await load(visit), EMPTY),

  async change(visit) {
    const { api, form, session } = visit
    const found = await load(visit)
    const path = { lodgement_case_id: found.lodgementCaseId }
    const idempotencyKey = form.get('key') ?? undefined
    const closing = { reason: form.get('reason') ?? '', confirmedBy: session.person.email }
    const reply = { message: form.get('message') ?? '', fileIds: form.getAll('fileIds') }
    const { refused } = await attempt<unknown>(
      form.has('reason')
        ? api.closeRequisition({ path, body: closing, idempotencyKey })
        : api.replyToRequisition({ path, body: reply, idempotencyKey }),
    )
    if (!refused) return goTo(`${found.part.address}/requisition`)
    return { ...shown(visit, found, { values: form, refused }), status: refused.status }
  },
}

type Asked = Schemas['RequisitionRecord']

type Found = { part: Part; lodgementCaseId: string; requisitions: readonly Asked[]; files: readonly File[] }

async function load(visit: Visit): Promise<Found> {
  const { api, params } = visit
  const path = { workspace_id: params['id'] ?? '' }
  const [workspace, { records }, files] = await Promise.all([
    api.getWorkspace({ path }),
    api.getLodgementCases({ query: path }),
    Array.fromAsync(api.records('listFiles', { path, query: { limit: 100 } })),
  ])
  const lodgementCaseId = records[0]?.lodgementCaseId ?? ''
  const query = { path: { lodgement_case_id: lodgementCaseId }, query: { limit: 100 } }
  const requisitions = await Array.fromAsync(api.records('listRequisitions', query))
  const part = partOf(visit, workspace, { openIn: [workspace.status] })
  return { part, lodgementCaseId, requisitions, files }
}

function shown(visit: Visit, found: Found, form: Form): View {
  const { part, requisitions } = found
  const { workspace, address, closed } = part
  const open = requisitions.find(({ status }) => status === 'OPEN')
  const past = requisitions.filter((one) => one !== open)
  return {
    title: `${workspace.reference} requisition`,
    crumbs: part.crumbs,
    live: `matter:${workspace.workspaceId}`,
    main: html`${errorSummary(form.refused, ['message', 'fileIds', 'reason'])}<h1>Requisition</h1>
${open ? asked(visit, found, open) : html`<p class="notice">The registry waits for no answer. <a href="${address}">Back to the matter</a></p>`}
${open && (closed ?? html`${replyForm(found, form)}${open.points.length === 0 && closureForm(address, form)}`)}
${past.length > 0 && html`<h2>Earlier</h2>${past.toReversed().map((one) => answered(found, one))}`}`,
  }
}

function asked({ now }: Visit, found: Found, requisition: Asked): Markup {
  const days = daysBetween(now, requisition.dueAt)
  const left = days < 0 ? 'overdue' : days === 0 ? 'today is the last day' : `${counted(days, 'day')} left`
  return html`<p class="lead">Answer by ${day(requisition.dueAt)}: <strong>${left}</strong>. After that the case is rejected.</p>
${points(found, requisition)}`
}

function points({ part, files }: Found, { points, fileIds }: Asked): Markup {
  const letters = files.filter(({ fileId }) => fileIds.includes(fileId))
  return html`${points.length > 0 ? html`<ol>${points.map((point) => html`<li>${point}</li>`)}</ol>` : html`<p>The registry sent a letter.${letters.length === 0 && ' It arrives shortly.'}</p>`}
${letters.length > 0 && html`<ul>${letters.map((file) => html`<li>${fileLink(part, file)}</li>`)}</ul>`}`
}

const fileLink = ({ address }: Part, { fileId, fileName }: File) =>
  html`<a href="${address}/files/${fileId}" download>${fileName}</a>`

function replyForm({ part, files }: Found, { values, refused }: Form): Markup {
  const sendable = files.filter(
    (one) => one.fileUploadStatus === 'SUCCESS' && one.source === 'UPLOAD' && isCurrent(one),
  )
  const chosen = values.getAll('fileIds')
  const error = refused?.errors.find((one) => one.field?.startsWith('fileIds'))?.message
  return html`<h2>Answer</h2><form method="post" action="${part.address}/requisition">${onceKey()}
${field({
  name: 'message',
  label: 'Your answer',
  hint: 'As the registry is to read it.',
  refused,
  control: (attributes) =>
    html`<textarea${attributes} required maxlength="4000">${values.get('message') ?? ''}</textarea>`,
})}
<fieldset id="fileIds" class="${error ? 'wrong' : 'field'}"><legend>Files that go with it</legend>
${error && html`<p class="why">${error}</p>`}
${sendable.map(
  (file) =>
    html`<label class="choice"><input type="checkbox" name="fileIds" value="${file.fileId}"${chosen.includes(file.fileId) && html` checked`}><span>${file.fileName} <small>${documentName(file)}</small></span></label>`,
)}
<p class="small">${sendable.length === 0 && 'There are no files yet. '}<a href="${part.address}/files">Upload a file</a> first, if it is missing.</p></fieldset>
<p class="actions"><button>Send the answer to the registry</button></p></form>`
}

/** Every letter of the registry counts as a requisition, also one that only says something. */
const closureForm = (address: string, { values, refused }: Form): Markup =>
  html`<details id="closure"${values.has('reason') && html` open`}><summary>It needs no answer</summary>
<form method="post" action="${address}/requisition">${onceKey()}
${field({
  name: 'reason',
  label: 'Why not?',
  hint: 'Nothing is sent to the registry.',
  refused,
  control: (attributes) =>
    html`<textarea${attributes} required maxlength="500">${values.get('reason') ?? ''}</textarea>`,
})}
<p class="actions"><button class="secondary">Close it without an answer</button></p></form></details>`

function answered(found: Found, requisition: Asked): Markup {
  const { requisitionId, receivedAt, status, replies, closure } = requisition
  return html`<details id="requisition-${requisitionId}"><summary>${day(receivedAt)}: ${REQUISITION_WORDS[status]}</summary>
${points(found, requisition)}
${replies.map(
  ({ at, by, message, fileIds }) =>
    html`<p><strong>Answer</strong> ${message} <small>${by}, ${dateTime(at)}</small></p>
<ul>${found.files.filter(({ fileId }) => fileIds.includes(fileId)).map((file) => html`<li>${fileLink(found.part, file)}</li>`)}</ul>`,
)}
${closure && html`<p>${closure.reason} <small>${closure.confirmedBy}, ${dateTime(closure.at)}</small></p>`}</details>`
}
