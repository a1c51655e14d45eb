import type { Schemas } from '../../../client/src/index.ts'
import type { Page } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { areas, bars, barsHigh, columns, lines, plot } from '../ui/plot.ts'
import { counted, dateTime, shortDayText } from '../ui/time.ts'
import { STATUS_WORDS, WHO_WORDS } from '../words.ts'
import { sent } from './file.ts'

type Figures = Schemas['Figures']
type Status = Figures['mattersByStatus'][number]['status']

const PATH = '/console/figures'
const WEEKS_MIN = 7
const OPEN: readonly Status[] = [
  'CREATED',
  'PREPARED',
  'FUNDS_AUTHORISED',
  'FUNDS_EXCHANGED',
  'LODGED',
  'REQUISITIONED',
]

/** What was counted last night, each figure as a plot and as a table. */
export const figures: Page = {
  async show({ api, session }) {
    const found = await api.getFigures()
    return {
      title: 'Figures',
      main: html`<h1>Figures</h1><p class="lead">${session.person.subscriber?.name}, the last 90 days${countedAt(found)}.</p>
${figurePlots(found, PATH)}`,
    }
  },
}

export const countedAt = ({ computedAt }: Figures) => computedAt && html`, counted ${dateTime(computedAt)}`

/** One figure as CSV. */
export const figureFile: Page = {
  async show({ api, params }) {
    const path = { figure_name: (params['name'] ?? '') as 'waiting' }
    return sent(await api.download('getFigureContent', { path }))
  },
}

/** `path` is where each figure is available as a file, by its name. */
export const figurePlots = (found: Figures, path: string): Markup | Markup[] =>
  found.computedAt
    ? [
        byStatus(found, `${path}/matters-by-status`),
        toRegistration(found, `${path}/time-to-registration`),
        waiting(found, `${path}/waiting`),
        requisitions(found, `${path}/requisitions`),
        deliveryTimes(found, `${path}/deliveries`),
      ]
    : html`<p class="notice">Nothing was counted yet. The first figures are here tomorrow morning.</p>`

const missing = (title: string, why: string) =>
  html`<section class="plot"><h2>${title}</h2><p class="notice">${why}</p></section>`

function byStatus({ mattersByStatus }: Figures, csv: string): Markup {
  const title = 'Open matters by status'
  const dates = [...new Set(mattersByStatus.map(({ date }) => date))]
  if (dates.length === 0) return missing(title, 'No matter was open in this time.')
  const counts = new Map(mattersByStatus.map(({ date, status, count }) => [`${date} ${status}`, count]))
  const count = (date: string, status: Status) => counts.get(`${date} ${status}`) ?? 0
  const last = dates.at(-1) ?? ''
  const open = OPEN.reduce((sum, status) => sum + count(last, status), 0)
  const series = OPEN.map((status) => ({
    label: shortStatus(status),
    values: dates.map((date) => count(date, status)),
  }))
  return plot({
    id: 'matters-by-status',
    title,
    says: `${counted(open, 'matter is', 'matters are')} open at the end of ${shortDayText(last)}, ${count(last, 'CREATED')} of them being prepared.`,
    drawing: areas(dates.map(shortDayText), series),
    columns: ['Day', ...OPEN.map((status) => STATUS_WORDS[status])],
    rows: dates.toReversed().map((date) => [shortDayText(date), ...OPEN.map((status) => count(date, status))]),
    csv,
  })
}

const shortStatus = (status: Status) => STATUS_WORDS[status].replace(' to answer', '')

function toRegistration({ timeToRegistration }: Figures, csv: string): Markup {
  const { count, medianDays = 0, p90Days = 0, weeks } = timeToRegistration
  const title = 'From order to registration'
  if (count === 0) return missing(title, 'No matter was registered in this time.')
  const most = Math.max(WEEKS_MIN, ...weeks.map((one) => one.weeks))
  const values = Array.from({ length: most + 1 }, (_, index) => weeks.find((one) => one.weeks === index)?.count ?? 0)
  const labels = values.map((_, index) => `${index} to ${index + 1}`)
  const marks = [
    { label: `median ${medianDays} days`, at: medianDays / 7 },
    { label: `9 of 10 in ${p90Days} days`, at: p90Days / 7 },
  ]
  return plot({
    id: 'time-to-registration',
    title,
    says: `${counted(count, 'matter was', 'matters were')} registered: half of them within ${medianDays} days of the order, nine of ten within ${p90Days}.`,
    drawing: columns(labels, values, marks),
    columns: ['Weeks', 'Matters'],
    rows: values.map((value, index) => [labels[index] ?? '', value]),
    csv,
  })
}

function waiting({ waiting }: Figures, csv: string): Markup {
  const title = 'Who was waited for'
  const [first] = waiting
  if (!first) return missing(title, 'No matter waited for anybody in this time.')
  return plot({
    id: 'waiting',
    title,
    says: `${capitalised(WHO_WORDS[first.who])} took ${first.share} % of all waiting.`,
    drawing: bars(waiting.map(({ who, days, share }) => ({ label: WHO_WORDS[who], value: days, says: `${share} %` }))),
    high: barsHigh(waiting.length),
    columns: ['Who', 'Days, all matters together', 'Share'],
    rows: waiting.map(({ who, days, share }) => [WHO_WORDS[who], days, `${share} %`]),
    csv,
  })
}

function requisitions({ requisitions: { cases, reasons } }: Figures, csv: string): Markup {
  const title = 'What the registry asked'
  if (reasons.length === 0)
    return missing(title, `The registry asked nothing. ${counted(cases, 'case was', 'cases were')} sent.`)
  const total = reasons.reduce((sum, { count }) => sum + count, 0)
  const words = ({ reason }: { reason: string }) => REASON_WORDS[reason] ?? reason
  return plot({
    id: 'requisitions',
    title,
    says: `${counted(total, 'question', 'questions')} about ${counted(cases, 'case')}: ${cases > 0 ? Math.round((total / cases) * 100) : '–'} for each 100 cases.`,
    drawing: bars(reasons.map((one) => ({ label: words(one), value: one.count, says: String(one.count) }))),
    high: barsHigh(reasons.length),
    columns: ['Reason', 'How often'],
    rows: reasons.map((one) => [words(one), one.count]),
    csv,
  })
}

const REASON_WORDS: Record<string, string> = { LETTER: 'A letter', POINTS: 'Points to answer' }

function deliveryTimes({ deliveries }: Figures, csv: string): Markup {
  const title = 'How fast receivers answered'
  const total = deliveries.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return missing(title, 'Nothing was delivered to a webhook in this time.')
  const first = deliveries.reduce((sum, { deliveredAtFirstTry }) => sum + deliveredAtFirstTry, 0)
  return plot({
    id: 'deliveries',
    title,
    says: `${counted(total, 'delivery', 'deliveries')}, ${Math.round((first / total) * 100)} % delivered at the first try.`,
    drawing: lines(
      deliveries.map(({ date }) => shortDayText(date)),
      [
        { label: 'median, ms', values: deliveries.map(({ medianMs }) => medianMs) },
        { label: '9 of 10, ms', values: deliveries.map(({ p90Ms }) => p90Ms) },
      ],
    ),
    columns: ['Day', 'Deliveries', 'At first try', 'Median, ms', '9 of 10, ms'],
    rows: deliveries
      .toReversed()
      .map((one) => [shortDayText(one.date), one.count, one.deliveredAtFirstTry, one.medianMs, one.p90Ms]),
    csv,
  })
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
