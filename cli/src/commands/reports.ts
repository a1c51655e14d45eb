import { pipeline } from 'node:stream/promises'
import type { Input } from '../../../client/src/index.ts'
import { misused } from '../failure.ts'
import { withExamples } from '../program.ts'
import { nearest } from '../suggest.ts'
import type { Define } from '../table.ts'

type Name = Input<'getReportContent'>['path']['report_name']

const REPORTS: Record<string, Name> = {
  'workspace-summary': 'report-workspacesummary-todate',
  'financial-summary': 'report-financialsummary-todate',
  'settlement-history': 'report-settlementhistory-daily',
}

export const define: Define = (command, run) => {
  command.description('The nightly reports, as CSV.')
  const get = command
    .command('get')
    .summary('fetch one')
    .description('Fetches a report and verifies it: to a file, or to the output.')
    .argument('<name>', `${Object.keys(REPORTS).join(', ')}, or the name in the interface`)
    .option('--date <yyyy-mm-dd>', 'of this day in London; default: the newest')
    .option('-o, --output <file>', 'where to write it; default: the output')
  withExamples(get, [
    ['lodgeway reports get workspace-summary'],
    ['lodgeway reports get settlement-history --date 2026-11-12 -o settled.csv'],
  ]).action(
    run(
      async (
        { connect, print, json, terminal },
        name: string,
        { date, output }: { date?: string; output?: string },
      ) => {
        const input = { path: { report_name: nameOf(name) }, query: date ? { date } : {} }
        const client = await connect().client()
        if (output) {
          const saved = await client.downloadTo('getReportContent', { ...input, to: output })
          return json ? print.json(saved) : print.line(`${saved.path}: ${saved.size} bytes, SHA-256 ${saved.sha256}`)
        }
        const { stream } = await client.download('getReportContent', input)
        await pipeline(stream, terminal.stdout, { end: false })
      },
    ),
  )
}

function nameOf(typed: string): Name {
  const names = [...Object.keys(REPORTS), ...Object.values(REPORTS)]
  const found = REPORTS[typed] ?? Object.values(REPORTS).find((one) => one === typed)
  if (found) return found
  const suggestion = nearest(typed, names)
  throw misused(
    `There is no report ${typed}.${suggestion ? ` Did you mean ${suggestion}?` : ` There are ${Object.keys(REPORTS).join(', ')}.`}`,
  )
}
