import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { readPdf } from '../../test/fixtures/pdf-text.ts'
import { aPerson, aRegister } from '../../test/fixtures/registry.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aSearchedWorkspace,
  aWorkspace,
  CASES,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  readCase,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'
import type { TitleDocumentType } from '../registry/title-pdf.ts'
import { keepTitleDocument } from './issue.ts'

type Place = { lodgementCaseId: string; titleId: string }
type Documents = { records: Record<string, unknown>[] }

let service: TestService
before(async () => {
  service = await sharedService('still')
})

async function aPlace(titleNumber = 'ST500678'): Promise<Place> {
  const { workspaceId } = await aSearchedWorkspace(service, titleNumber)
  const { lodgementCaseId, titles } = await readCase(service, workspaceId)
  return { lodgementCaseId, titleId: titles[0]?.titleId ?? '' }
}

const OFFICIAL_COPY_AT = new Date('2026-05-01T10:04:09Z')
const REGISTER = aRegister({ titleNumber: 'ST500678', proprietors: [aPerson({ surname: 'Ó’Súilleabháin' })] })

/** What registration does with what the registry sends. */
async function issue(
  { lodgementCaseId, titleId }: Place,
  documentType: TitleDocumentType = 'TITLE_INFORMATION_DOCUMENT',
): Promise<string> {
  const { db, clock } = service.deps
  const copy = { register: REGISTER, officialCopyAt: OFFICIAL_COPY_AT }
  const kept = await keepTitleDocument(service.deps, documentType, copy)
  const { titleDocumentId, register, officialCopyAt, sha256, size } = kept
  await db.query(
    `insert into title_documents (title_document_id, lodgement_case_id, title_id, document_type, register,
       official_copy_at, created_at, sha256, size) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [titleDocumentId, lodgementCaseId, titleId, documentType, register, officialCopyAt, clock.now(), sha256, size],
  )
  return titleDocumentId
}

const json = ({ lodgementCaseId, titleId }: Place, query = '', as = LENDER, headers: Record<string, string> = {}) =>
  service.call<Documents>('GET', `${CASES}/${lodgementCaseId}/titles/${titleId}/title-documents${query}`, {
    ...as,
    headers,
  })

const TYPE = '?document_type=TITLE_INFORMATION_DOCUMENT'
const pdfPath = (caseId: string, query = TYPE) => `${CASES}/${caseId}/documents${query}`

describe('GET /lodgement-cases/{lodgement_case_id}/titles/{title_id}/title-documents', () => {
  it('answers no records before the search has succeeded', async () => {
    assert.deepEqual((await json(await aPlace('SL100001'))).body, { records: [] })
    assert.deepEqual((await json(await aPlace('NF100001'))).body, { records: [] })
  })

  it('answers the register that the search brought, as data, to lender and law firm alike', async () => {
    const place = await aPlace()
    const { status, body } = await json(place)
    assert.equal(status, 200)
    const [record, ...more] = body.records
    assert.equal(more.length, 0)
    assert.partialDeepStrictEqual(record, {
      documentType: 'TITLE_REGISTER',
      titleId: place.titleId,
      titleNumber: 'ST500678',
      editionDate: '2012-06-11',
    })
    const { ocSummaryData, ocRegisterData } = record?.['registerExtract'] as Record<string, object>
    assert.match(JSON.stringify(ocSummaryData), /Prynne/i)
    assert.match(JSON.stringify(ocRegisterData), /REGISTERED CHARGE/)
    assert.deepEqual((await json(place, '', FIRM)).body, body)
  })

  it('answers newest first, and only those of the type that is asked for', async () => {
    const place = await aPlace()
    const issued = await issue(place)
    const late = await issue(place, 'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT')
    const idsOf = async (query = '') => (await json(place, query)).body.records.map((one) => one['titleDocumentId'])
    assert.deepEqual((await idsOf()).slice(0, 2), [late, issued])
    assert.equal((await idsOf()).length, 3)
    assert.deepEqual(await idsOf(TYPE), [issued])
    assert.deepEqual(await idsOf('?document_type=EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT'), [late])
    assert.equal((await idsOf('?document_type=TITLE_REGISTER')).length, 1)
    const [record] = (await json(place, TYPE)).body.records
    assert.equal(record?.['officialCopyDateTime'], OFFICIAL_COPY_AT.toISOString())
  })

  it('answers 304 to who has them already, until another is added', async () => {
    const place = await aPlace()
    const etag = (await json(place)).headers.get('etag') ?? ''
    assert.equal((await json(place, '', FIRM, { 'if-none-match': etag })).status, 304)
    await issue(place)
    assert.equal((await json(place, '', FIRM, { 'if-none-match': etag })).status, 200)
  })

  it('answers 400 at each parameter that is wrong', async () => {
    const answer = await json({ lodgementCaseId: 'x', titleId: 'y' }, '?document_type=DEED')
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['document_type', 'lodgement_case_id', 'title_id']])
  })

  it('answers 401 without a token and 403 without the scope', async () => {
    const { lodgementCaseId, titleId } = await aPlace()
    const path = `${CASES}/${lodgementCaseId}/titles/${titleId}/title-documents`
    assert.equal((await service.call('GET', path)).status, 401)
    assert.equal(
      (await service.call('GET', path, { headers: await narrowToken(service, 'sandbox-lender') })).status,
      403,
    )
  })

  it('answers 404 at the parameter that names nothing: the case, or the title in it', async () => {
    const [place, other] = [await aPlace(), await aPlace()]
    for (const [asked, as, field] of [
      [{ ...place, lodgementCaseId: UNKNOWN_ID }, LENDER, 'lodgement_case_id'],
      [{ lodgementCaseId: UNKNOWN_ID, titleId: UNKNOWN_ID }, LENDER, 'lodgement_case_id'],
      [place, OTHER_FIRM, 'lodgement_case_id'],
      [{ ...place, titleId: UNKNOWN_ID }, LENDER, 'title_id'],
      [{ ...place, titleId: other.titleId }, LENDER, 'title_id'],
    ] as const) {
      const answer = await json(asked, '', as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, [field]])
    }
  })
})

describe('GET /lodgement-cases/{lodgement_case_id}/documents', () => {
  let place: Place
  let path: string
  before(async () => {
    place = await aPlace()
    path = pdfPath(place.lodgementCaseId)
  })

  it('answers 404 at document_type before the title is registered', async () => {
    const answer = await service.call('GET', path, LENDER)
    assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['document_type']])
    const { workspaceId } = await aWorkspace(service)
    const untitled = await service.call('GET', pdfPath((await readCase(service, workspaceId)).lodgementCaseId), LENDER)
    assert.deepEqual([untitled.status, untitled.text], [404, answer.text])
  })

  it('answers the document as a PDF whose text can be read', async () => {
    await issue(place)
    const response = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${await service.tokenOf('sandbox-lender')}` },
    })
    assert.equal(response.status, 200)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(response.headers.get('content-type'), 'application/octet-stream')
    assert.equal(response.headers.get('content-length'), String(bytes.length))
    const name = 'ST500678_TITLE_INFORMATION_DOCUMENT.pdf'
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="${name}"`)
    assert.equal(response.headers.get('accept-ranges'), 'bytes')
    assert.match(bytes.toString('latin1'), /^%PDF-1\.\d[\s\S]*%%EOF\s*$/)
    const { pages } = await readPdf(Readable.from([bytes]))
    assert.match(pages.join(' '), /Title information document.*Title number ST500678.*Ó’SÚILLEABHÁIN/)
  })

  it('answers the same bytes every time, to lender and law firm', async () => {
    const [one, other] = [await service.call('GET', path, LENDER), await service.call('GET', path, FIRM)]
    assert.equal(one.text, other.text)
    assert.equal(one.headers.get('etag'), other.headers.get('etag'))
  })

  it('answers 304 to who has it already, a part to who asks for one, and its length to HEAD', async () => {
    const whole = await service.call('GET', path, LENDER)
    const etag = whole.headers.get('etag') ?? ''
    const again = await service.call('GET', path, { ...LENDER, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
    const part = await service.call('GET', path, { ...LENDER, headers: { range: 'bytes=0-7' } })
    assert.deepEqual([part.status, part.text], [206, whole.text.slice(0, 8)])
    const size = whole.headers.get('content-length')
    assert.equal(part.headers.get('content-range'), `bytes 0-7/${size}`)
    const head = await service.call('HEAD', path, LENDER)
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', size])
    assert.equal((await service.call('GET', path, { ...LENDER, headers: { range: `bytes=${size}-` } })).status, 416)
  })

  it('answers the newest where there are two, and never another type', async () => {
    const before = (await service.call('GET', path, LENDER)).headers.get('etag')
    await issue(place, 'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT')
    assert.equal((await service.call('GET', path, LENDER)).headers.get('etag'), before)
    await issue(place)
    assert.notEqual((await service.call('GET', path, LENDER)).headers.get('etag'), before)
  })

  it('is content with an Accept that admits PDF, bytes or JSON, and answers 406 to any other', async () => {
    for (const [accept, status] of [
      ['application/pdf', 200],
      ['application/octet-stream', 200],
      ['application/json', 200],
      ['text/html', 406],
    ] as const) {
      assert.equal((await service.call('GET', path, { ...LENDER, headers: { accept } })).status, status, accept)
    }
  })

  it('answers 400 without document_type, and to one that is not for download', async () => {
    for (const query of ['', '?document_type=', '?document_type=TITLE_REGISTER', `${TYPE}&${TYPE.slice(1)}`]) {
      const answer = await service.call('GET', pdfPath(UNKNOWN_ID, query), LENDER)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['document_type']], query)
    }
  })

  it('answers 401 without a token, 403 without the scope, 404 at the case that is not there or not yours', async () => {
    assert.equal((await service.call('GET', path)).status, 401)
    assert.equal(
      (await service.call('GET', path, { headers: await narrowToken(service, 'sandbox-lender') })).status,
      403,
    )
    for (const answer of [
      await service.call('GET', pdfPath(UNKNOWN_ID), LENDER),
      await service.call('GET', path, OTHER_FIRM),
    ]) {
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['lodgement_case_id']])
    }
  })
})
