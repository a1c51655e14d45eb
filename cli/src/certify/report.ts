import type { Print } from '../print.ts'
import type { Finding, Result } from './situations.ts'

export type Report = {
  service: string
  clientId: string
  at: string
  result: 'PASSED' | 'FAILED'
  situations: ({ name: string; title: string } & Finding)[]
}

/** Every situation must have been seen and handled. */
export const resultOf = (situations: readonly Finding[]): Report['result'] =>
  situations.every(({ result }) => result === 'PASSED') ? 'PASSED' : 'FAILED'

const SIGNS: Record<Result, { sign: string; style: 'green' | 'red' | 'yellow' }> = {
  PASSED: { sign: '✔', style: 'green' },
  FAILED: { sign: '✖', style: 'red' },
  NOT_SEEN: { sign: '?', style: 'yellow' },
}

export function linesOf(
  { name, title, result, seen, advice, evidence }: Report['situations'][number],
  paint: Print['paint'],
) {
  const { sign, style } = SIGNS[result]
  return [
    `${paint(style, sign)} ${paint('bold', title)} (${name})`,
    `  ${seen}`,
    ...(advice ? [`  → ${advice}`] : []),
    ...(evidence.length ? [paint('dim', `  ${evidence.join(', ')}`)] : []),
  ]
}

export const summaryOf = ({ situations }: Pick<Report, 'situations'>): string => {
  const count = (wanted: Result) => situations.filter(({ result }) => result === wanted).length
  return `${count('PASSED')} passed, ${count('FAILED')} failed, ${count('NOT_SEEN')} not seen.`
}

/** For a file: the same as on the terminal, or JSON where the name of the file says so. */
export function fileOf(report: Report, path: string): string {
  if (path.endsWith('.json')) return `${JSON.stringify(report, null, 2)}\n`
  const lines = report.situations.flatMap((one) => [...linesOf(one, (_, text) => text), ''])
  const head = [`Go-live check of ${report.clientId} at ${report.service}, ${report.at}: ${report.result}`, '']
  return [...head, ...lines, summaryOf(report), ''].join('\n')
}
