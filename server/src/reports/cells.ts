// The cells of a report as SQL expressions. COPY quotes them by RFC 4180.

/** The content of a cell by the name of its column, in the order of the header row. */
export type Cells = Readonly<Record<string, string>>

/** `isOwn` is a condition on the workspace `w`: the subscriber's own rows, for the day in `report_day`. */
export type Report = { cells: Cells; rows(isOwn: string): string }

/** The number that the subscriber of the report gave the workspace `w`, else the lender's reference. */
export const SUBSCRIBER_REFERENCE = `
  coalesce(case report_day.subscriber_id when w.lender_id then w.lender_own_reference else w.law_firm_own_reference end,
           w.reference)`

/** A spreadsheet reads a cell as a formula if it starts with = + - @, a full-width form of these, or white space. */
const FORMULA_STARTS = [...'=+-@＝＋－＠\t\n\r'].map((start) => start.codePointAt(0)).join(', ')

/** Text that a person chose, with an apostrophe before what would be a formula. */
export const words = (text: string): string =>
  `case when ascii(${text}) in (${FORMULA_STARTS}) then '''' || (${text}) else ${text} end`

/** Pounds with two decimals. Exact, and never text: an amount below zero keeps its sign. */
export const pounds = (pence: string): string => `${pence} * 0.01`

export const moment = (at: string): string => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const day = (date: string): string => `to_char(${date}, 'YYYY-MM-DD')`

export const yesNo = (condition: string): string => `case when ${condition} then 'Y' else 'N' end`
