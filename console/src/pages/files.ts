import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { type Form, hidden, list } from '../ui/fields.ts'
import { attempt, errorSummary, field } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { APPLICATION_WORDS, CATEGORY_WORDS, CERTIFICATION_WORDS, DOCUMENT_WORDS, MAIN_DOCUMENTS } from '../words.ts'
import { caseOpen } from './case-parts.ts'
import { notFound } from './errors.ts'
import { type File, fileList, withdrawLink } from './file-list.ts'
import { type Part, partOf } from './matter-part.ts'
import { openForm } from './upload-body.ts'

const EMPTY: Form = { values: new URLSearchParams() }

/** The files of a matter: upload, download, withdraw. With `?application=` the form adds to that application. */
export const files: Page = {
  async show(visit) {
    const found = await load(visit)
    const { searchParams } = visit.url
    if (searchParams.has('application') && !found.application) return notFound()
    const file = found.files.find(({ fileId }) => fileId === searchParams.get('withdraw'))
    return file && !closedTo(found, file) ? question(found, file) : shown(found, EMPTY)
  },

  async change(visit) {
    const found = await load(visit)
    const file = found.files.find(({ fileId }) => fileId === visit.form.get('withdraw'))
    if (!file) return notFound()
    const path = { workspace_id: visit.params['id'] ?? '', file_id: file.fileId }
    const { refused } = await attempt(visit.api.withdrawFile({ path }))
    if (refused) return { ...question(found, file, refused), status: refused.status }
    return goTo(`${found.part.address}/${file.applicationId ? 'case' : 'files'}`)
  },

  async upload(visit) {
    const { request, url, params, forward } = visit
    if (!request.body) return notFound()
    const { fields: values, body, drain } = await openForm(request.body)
    const [application, lodgementCase] = [url.searchParams.get('application'), url.searchParams.get('case')]
    const path = {
      workspace_id: params['id'] ?? '',
      lodgement_case_id: lodgementCase ?? '',
      application_id: application ?? '',
    }
    const form = {
      body,
      contentType: request.headers.get('content-type') ?? '',
      length: request.headers.get('content-length'),
      idempotencyKey: url.searchParams.get('key') ?? crypto.randomUUID(),
    }
    const { refused } = await attempt(forward(application ? 'attachDocument' : 'uploadFile', path, form))
    if (!refused) return goTo(`/console/matters/${params['id']}/${application ? 'case' : 'files'}`)
    await drain()
    return { ...shown(await load(visit), { values, refused }), status: refused.status }
  },
}

type Application = Schemas['ApplicationRecord']

type Files = {
  part: Part
  lodgementCase: Schemas['LodgementCaseRecord']
  /** The one that the form adds to. */
  application: Application | undefined
  files: readonly File[]
}

const OPEN = ['CREATED', 'PREPARED', 'FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'REQUISITIONED'] as const

async function load(visit: Visit): Promise<Files> {
  const { api, params, url } = visit
  const path = { workspace_id: params['id'] ?? '' }
  const [workspace, { records }, files] = await Promise.all([
    api.getWorkspace({ path }),
    api.getLodgementCases({ query: path }),
    Array.fromAsync(api.records('listFiles', { path, query: { limit: 100 } })),
  ])
  const [lodgementCase] = records
  if (!lodgementCase) throw new Error('A matter has a case.')
  const id = url.searchParams.get('application')
  const application = lodgementCase.applications.find(({ applicationId }) => applicationId === id)
  const open = application
    ? caseOpen(workspace, lodgementCase, application)
    : { openIn: OPEN, by: ['LENDER', 'LAW_FIRM'] as const }
  return { part: partOf(visit, workspace, open), lodgementCase, application, files }
}

/** The service says so, too, where somebody else uploaded it. */
const closedTo = ({ part }: Files, { source, fileUploadStatus }: File) =>
  part.closed || source === 'REGISTRY' || (fileUploadStatus !== 'SUCCESS' && fileUploadStatus !== 'PENDING')

function shown(found: Files, form: Form): View {
  const { part, application, files } = found
  const { workspace, address, closed } = part
  const name = application && APPLICATION_WORDS[application.applicationType]
  const fields = ['file', 'documentType', 'documentCategory', 'certificationType']
  return {
    title: `${workspace.reference} ${application ? 'upload' : 'files'}`,
    crumbs: application ? [...part.crumbs, [`${address}/case`, 'Case']] : part.crumbs,
    ...(!application && { live: `matter:${workspace.workspaceId}` as const }),
    ...(!closed && { script: 'upload.js' }),
    main: html`${errorSummary(form.refused, fields, 'Nothing was kept')}
<h1>${name ? `Upload a document: ${name}` : 'Files'}</h1>${closed}
${!application && (files.length > 0 ? fileList(workspace.workspaceId, files, (file) => !closedTo(found, file) && withdrawLink(address, file)) : html`<p>There are no files yet.</p>`)}
${!closed && uploadForm(found, form)}`,
  }
}

/** Its fields are those of the interface and no others: it is passed on as it is. */
function uploadForm({ part, lodgementCase, application }: Files, form: Form): Markup {
  const query = new URLSearchParams({
    ...(application && { application: application.applicationId, case: lodgementCase.lodgementCaseId }),
    key: crypto.randomUUID(),
  })
  return html`${!application && html`<h2>Add a file</h2>`}
<form method="post" action="${part.address}/files?${query.toString()}" enctype="multipart/form-data" class="upload">
${application ? applicationFields(application, form) : matterFields(form)}
${field({
  name: 'file',
  label: 'File',
  hint: 'A PDF.',
  refused: form.refused,
  control: (attributes) => html`<input type="file"${attributes} accept="application/pdf,.pdf" required>`,
})}
<p class="actions"><button>Upload</button>${application && html` <a href="${part.address}/case">Back to the case</a>`}</p></form>`
}

const entries = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => [value, label] as const)

function applicationFields({ applicationType }: Application, { values, refused }: Form): Markup {
  const main = MAIN_DOCUMENTS[applicationType]
  const { WORKSPACE_SUPPORTING_DOCUMENT: _, ...categories } = CATEGORY_WORDS
  const { MORTGAGE_OFFER: __, REDEMPTION_STATEMENT: ___, ...types } = DOCUMENT_WORDS
  const ordered = entries(types).toSorted(([a], [b]) => Number(isIn(main, b)) - Number(isIn(main, a)))
  const form = { values, refused }
  return html`${list(form, 'documentType', 'What it is', ordered)}
${list(form, 'documentCategory', 'What it is for', entries(categories))}
${list(form, 'certificationType', 'What the file shows', [['', 'Choose'], ...entries(CERTIFICATION_WORDS)])}`
}

const isIn = (all: readonly string[], one: string) => all.includes(one)

const matterFields = (form: Form) => html`${list(form, 'documentType', 'What it is', entries(DOCUMENT_WORDS))}
${hidden({ documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT', certificationType: 'SCANNED' })}`

/** The consequence is on the page and on the button. */
function question({ part }: Files, file: File, refused?: Form['refused']): View {
  const { workspace, address } = part
  const { fileId, fileName, applicationId } = file
  const back = `${address}/${applicationId ? 'case' : 'files'}`
  return {
    title: `${workspace.reference}: withdraw a file`,
    crumbs: [...part.crumbs, [back, applicationId ? 'Case' : 'Files']],
    main: html`${errorSummary(refused)}<h1>Withdraw ${fileName}?</h1>
<p>It counts no longer and is not sent to the registry. It stays on record. ${applicationId && 'An approval of the case is taken back.'}</p>
<form method="post" action="${address}/files">${hidden({ withdraw: fileId })}
<p class="actions"><button class="danger">Withdraw ${fileName}</button> <a href="${back}">Keep it</a></p></form>`,
  }
}
