import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { aSentCase, progressOf } from '../../test/fixtures/lodging.ts'
import { reportOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { move, readCase, readWorkspace } from '../../test/fixtures/workspaces.ts'
import { londonDate } from '../jurisdiction/london.ts'
import { endToday, type Reported, reportedMatters, rowOf, storedOf } from './reported-matters.fixture.ts'

let at: Reported
before(async () => {
  at = await reportedMatters()
})

describe('report-workspacesummary-todate', () => {
  it('shows the progress of a workspace', async () => {
    const { reference } = await storedOf(at.service, at.paid)
    const { auditAttributes } = await readWorkspace(at.service, at.paid)
    const { lodgementCaseId } = await readCase(at.service, at.paid)
    assert.deepEqual(rowOf(at.summary, at.paid), {
      report_date: at.date,
      workspace_id: at.paid,
      workspace_reference: reference,
      subscriber_reference: 'REM-1',
      transaction_type: 'REMORTGAGE',
      status: 'FUNDS_EXCHANGED',
      created_at: auditAttributes.createdAt,
      created_by: 'sandbox-lender',
      lender_name: 'Northgate Building Society',
      law_firm_name: 'Harbour Conveyancing LLP',
      borrower_count: '2',
      borrower_type: 'INDIVIDUAL',
      property_address: '12 Cothelstone Close, Taunton',
      postcode: 'TA1 9QH',
      title_number: 'ST500678',
      tenure: 'FREEHOLD',
      title_search_status: 'SUCCESS',
      reconciliation_status: 'VALID',
      transfer_of_equity: 'N',
      lodgement_case_id: lodgementCaseId,
      lodgement_case_status: 'INITIATED',
      applications_total: '2',
      applications_approved: '2',
      completion_date: at.date,
      lodged_at: '',
      hmlr_reference: '',
      priority_at: '',
      requisition_open: 'N',
      requisition_due_at: '',
      registered_at: '',
      early_completion: 'N',
      discharge_registered_at: '',
      closed_at: '',
      cancelled_at: '',
      cancellation_reason: '',
      days_in_status: '0',
      last_updated_at: at.lastModifiedAt,
    })
  })

  it('shows when and why a workspace was cancelled, and neutralises a reference that is a formula', async () => {
    const { statusSince } = await storedOf(at.service, at.cancelled)
    assert.partialDeepStrictEqual(rowOf(at.summary, at.cancelled), {
      subscriber_reference: "'=1+1",
      status: 'CANCELLED',
      borrower_count: '1',
      borrower_type: 'ORGANISATION',
      title_search_status: '',
      lodgement_case_status: 'CANCELLED',
      applications_total: '0',
      cancelled_at: statusSince.toISOString(),
      cancellation_reason: 'TITLE_COMPLICATIONS',
      days_in_status: daysFrom(statusSince, at.date),
    })
  })

  it('keeps commas and quotes, and names no borrower', () => {
    assert.equal(rowOf(at.summary, at.untouched)['subscriber_reference'], 'A,"B"')
    assert.doesNotMatch(JSON.stringify([at.summary, at.financial]), /Prynne|William|Tracey|Turner/)
  })

  it('follows a case through the registry: priority, requisition, early completion, discharge', async () => {
    const [asked, early] = [await aSentCase(at.service, 'RQ100001'), await aSentCase(at.service, 'ST500679')]
    await move(at.service, 'P3D')
    const requisitioned = await readCase(at.service, asked)
    assert.partialDeepStrictEqual(await reported(asked), {
      status: 'REQUISITIONED',
      hmlr_reference: requisitioned.registryReference,
      priority_at: requisitioned.priorityAt,
      requisition_open: 'Y',
      requisition_due_at: requisitioned.requisition?.dueAt,
      registered_at: '',
    })
    await move(at.service, 'P7D')
    assert.equal(await progressOf(at.service, early), 'LODGED PARTIALLY_REGISTERED')
    const partly = await reported(early)
    const shown = [partly['early_completion'], partly['discharge_registered_at'], partly['closed_at']]
    assert.deepEqual(shown, ['Y', '', ''])
    assert.ok((partly['lodged_at'] ?? '') < (partly['registered_at'] ?? ''))
    await move(at.service, 'P14D')
    const { statusSince } = await storedOf(at.service, early)
    const { discharge_registered_at: discharged, ...closed } = await reported(early)
    assert.match(discharged ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.partialDeepStrictEqual(closed, {
      status: 'CLOSED',
      lodgement_case_status: 'REGISTERED',
      registered_at: partly['registered_at'],
      closed_at: statusSince.toISOString(),
    })
  })
})

const reported = async (workspaceId: string) =>
  rowOf(await reportOf(at.service, SUMMARY, await endToday(at.service)), workspaceId)

const daysFrom = (since: Date, date: string) =>
  String((Date.parse(date) - Date.parse(londonDate(since))) / (24 * 3_600_000))
