import assert from 'node:assert/strict'
import type { ReportName } from '../../src/reports/rules.ts'
import { PARTNER, type TestService } from './service.ts'

// Reports as tests retrieve and read them.

export const FINANCIAL = 'report-financialsummary-todate' satisfies ReportName
export const HISTORY = 'report-settlementhistory-daily' satisfies ReportName
export const SUMMARY = 'report-workspacesummary-todate' satisfies ReportName

export const reportPath = (name: string, query = '') => `${PARTNER}/reports/${name}/content${query}`

export type Row = Record<string, string>

/** The rows of a report, by the names of the header row. */
export async function reportOf(service: TestService, name: ReportName, date: string, as = 'sandbox-lender') {
  const { status, headers, text } = await service.call('GET', reportPath(name, `?date=${date}`), { as })
  assert.equal(status, 200, text)
  const rows = readReport(text)
  assert.equal(headers.get('x-report-row-count'), String(rows.length))
  return rows
}

export function readReport(text: string): Row[] {
  const [header = [], ...rows] = readCsv(text)
  return rows.map((cells) => {
    assert.equal(cells.length, header.length, 'a row has as many cells as the header')
    return Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']))
  })
}

// One cell, and the comma or the line end behind it. Anything else is no RFC 4180.
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

/** As RFC 4180 has it and not a bit more tolerant: every line ends with CR and LF, every odd cell is quoted. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < text.length) {
    const at = CELL.lastIndex
    const [, quoted, plain = '', end] =
      CELL.exec(text) ?? assert.fail(`no CSV at ${JSON.stringify(text.slice(at, at + 40))}`)
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(cells)
    cells = []
  }
  assert.deepEqual(cells, [], 'the last line ends')
  return rows
}

export type StoredRun = { reportName: string; reportDate: string; sha256: string; rowCount: number; generatedAt: Date }

export const runsOf = ({ deps }: TestService, subscriberId: string): Promise<StoredRun[]> =>
  deps.db.query<StoredRun>(
    `select report_name as "reportName", report_date as "reportDate", sha256, row_count as "rowCount",
            generated_at as "generatedAt"
       from reports where subscriber_id = $1 order by report_date, report_name`,
    [subscriberId],
  )

/** The reports that a subscriber was told of: name and date. */
export async function toldReports({ deps }: TestService, subscriberId: string): Promise<string[]> {
  const rows = await deps.db.query<{ data: Record<string, string> }>(
    `select data from events where type = 'REPORT_GENERATED' and told = array[$1::uuid] order by seq`,
    [subscriberId],
  )
  return rows.map(({ data }) => `${data['reportName']} ${data['reportDate']}`)
}
