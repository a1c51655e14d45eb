import type { EventType } from '../events/types.ts'
import { addDays, londonDate, londonMoment } from '../jurisdiction/london.ts'
import type { Who, WorkspaceStatus } from '../workspaces/status.ts'

// What figures are made of, and how they are written as a table.

/** Whose figures are of all subscribers together. */
export const ALL_SUBSCRIBERS = '00000000-0000-0000-0000-000000000000'

/** How many days the figures cover. */
export const FIGURE_DAYS = 90
/** The last column of the histogram holds all that took longer. */
export const WEEKS_MAX = 26
/** More kinds of requisitions than these are not counted apart. */
export const REASONS_MAX = 20

export const FIGURE_NAMES = [
  'matters-by-status',
  'time-to-registration',
  'waiting',
  'requisitions',
  'deliveries',
] as const
export type FigureName = (typeof FIGURE_NAMES)[number]

export type Figures = {
  computedAt?: string
  mattersByStatus: { date: string; status: WorkspaceStatus; count: number }[]
  timeToRegistration: {
    count: number
    medianDays?: number
    p90Days?: number
    weeks: { weeks: number; count: number }[]
  }
  waiting: { who: Who; days: number; share: number }[]
  requisitions: { cases: number; reasons: { reason: string; count: number }[] }
  deliveries: { date: string; count: number; deliveredAtFirstTry: number; medianMs: number; p90Ms: number }[]
}

/** The status of a workspace after an event; the others leave it as it is. */
export const STATUS_AFTER: Partial<Record<EventType, WorkspaceStatus>> = {
  WORKSPACE_CREATED: 'CREATED',
  WORKSPACE_PREPARED: 'PREPARED',
  WORKSPACE_REVERTED_TO_CREATED: 'CREATED',
  WORKSPACE_FUNDS_AUTHORISED: 'FUNDS_AUTHORISED',
  WORKSPACE_FUNDS_UNAUTHORISED: 'PREPARED',
  WORKSPACE_FUNDS_EXCHANGED: 'FUNDS_EXCHANGED',
  WORKSPACE_LODGED: 'LODGED',
  WORKSPACE_REQUISITIONED: 'REQUISITIONED',
  LODGEMENT_REJECTED: 'FUNDS_EXCHANGED',
  WORKSPACE_CLOSED: 'CLOSED',
  WORKSPACE_CANCELLED: 'CANCELLED',
}

/** The days that the figures of this moment cover, oldest first: the last one is yesterday in London. */
export const daysUntil = (now: Date): string[] =>
  Array.from({ length: FIGURE_DAYS }, (_, index) => addDays(londonDate(now), index - FIGURE_DAYS))

export const boundsOf = (day: string): { since: Date; until: Date } => ({
  since: londonMoment(day, '00:00:00'),
  until: londonMoment(addDays(day, 1), '00:00:00'),
})

/** Yesterday and the day before are counted again: deliveries go on for a day. */
const COUNTED_AGAIN = 2

/** `first` is the day of the first workspace, if there is one: before it there is nothing to count. */
export type Counted = { first: Date | null; days: readonly string[] }

/** What is to be counted now: what is not counted yet, and what may have changed. */
export function daysToCount(now: Date, { first, days: counted }: Counted): string[] {
  if (!first) return []
  const days = daysUntil(now).filter((day) => day >= londonDate(first))
  return days.filter((day, index) => index >= days.length - COUNTED_AGAIN || !counted.includes(day))
}

const DAY_SECONDS = 86_400

/** From seconds to days and parts of the whole, the longest first. */
export function sharesOf(seconds: Readonly<Partial<Record<Who, number>>>): Figures['waiting'] {
  const total = Object.values(seconds).reduce((sum, one) => sum + one, 0)
  return (Object.entries(seconds) as [Who, number][])
    .filter(([, one]) => one > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([who, one]) => ({ who, days: rounded(one / DAY_SECONDS), share: rounded((one / total) * 100) }))
}

export const rounded = (value: number): number => Math.round(value * 10) / 10

type Row = Readonly<Record<string, string | number>>

/** The rows of a figure, each with the names of its columns. */
export function rowsOf(figures: Figures, name: FigureName): readonly Row[] {
  switch (name) {
    case 'matters-by-status':
      return figures.mattersByStatus
    case 'time-to-registration':
      return figures.timeToRegistration.weeks
    case 'waiting':
      return figures.waiting
    case 'requisitions':
      return figures.requisitions.reasons
    case 'deliveries':
      return figures.deliveries
  }
}

const COLUMNS: Record<FigureName, readonly string[]> = {
  'matters-by-status': ['date', 'status', 'count'],
  'time-to-registration': ['weeks', 'count'],
  waiting: ['who', 'days', 'share'],
  requisitions: ['reason', 'count'],
  deliveries: ['date', 'count', 'deliveredAtFirstTry', 'medianMs', 'p90Ms'],
}

/** By RFC 4180. Reasons are the registry's own words: what a spreadsheet would run gets an apostrophe. */
export function csvOf(figures: Figures, name: FigureName): string {
  const columns = COLUMNS[name]
  const rows = rowsOf(figures, name).map((row) => columns.map((column) => cellOf(row[column] ?? '')))
  return [columns, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@＝＋－＠\s]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
