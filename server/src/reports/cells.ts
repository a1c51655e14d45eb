// A cell of a report, as an expression of SQL. COPY quotes it by RFC 4180; what stands in it is said here.

/** What a cell holds, by the name of its column and in the order of the header row. */
export type Cells = Readonly<Record<string, string>>

/** `rows` are those of the subscriber whom a condition on the workspace `w` names, for the day in `asked`. */
export type Report = { cells: Cells; rows(isOwn: string): string }

/** At these a spreadsheet takes a cell for a formula: = + - @, their full-width forms, tab, line feed, carriage return. */
const FORMULA_STARTS = [...'=+-@＝＋－＠\t\n\r'].map((start) => start.codePointAt(0)).join(', ')

/** Words that somebody chose, with an apostrophe before what would be a formula. */
export const words = (text: string): string =>
  `case when ascii(${text}) in (${FORMULA_STARTS}) then '''' || (${text}) else ${text} end`

/** Pounds with two decimals. Exact, and never words: an amount below zero keeps its sign. */
export const pounds = (pence: string): string => `${pence} * 0.01`

export const moment = (at: string): string => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const day = (date: string): string => `to_char(${date}, 'YYYY-MM-DD')`

export const yesNo = (condition: string): string => `case when ${condition} then 'Y' else 'N' end`
