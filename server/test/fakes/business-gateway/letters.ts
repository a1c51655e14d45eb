import { createHash } from 'node:crypto'
import type { Context } from './answers.ts'
import type { Step } from './course.ts'
import { pdfOf } from './files.ts'
import type { Application, Download } from './state.ts'

const NAMES: Readonly<Record<string, string>> = {
  LTR: 'LETTER',
  CAN: 'CANCELLATION LETTER',
  RCS: 'REGISTRATION COMPLETION SHEET',
  REG: 'COPY OF UPDATED REGISTER',
}

const WORDS: Readonly<Record<string, string[]>> = {
  correspondence: [
    'The deed does not show who witnessed the signature of the borrower. Please lodge a copy on which it can be read.',
    'Please confirm the address for service of the borrower.',
  ],
  cancelled: ['The deed that was lodged describes another property. The application is cancelled.'],
  completed: ['The application is complete.'],
}

const codesOf = ({ kind }: Step) =>
  kind === 'correspondence'
    ? ['LTR']
    : kind === 'cancelled'
      ? ['CAN']
      : kind === 'completed'
        ? ['LTR', 'RCS', 'REG']
        : []

/** The documents that come with a step, made when they are first needed. */
export function lettersOf({ control, state }: Context, application: Application, step: Step): Download[] {
  return codesOf(step).map((code) => {
    const digest = createHash('sha256').update(`${application.id} ${step.kind} ${code}`).digest('hex')
    const id = control.dialect === 'guide' ? `${code.toLowerCase()}_${digest.slice(0, 60)}` : digest
    const known = state.downloads.get(id)
    if (known) return known
    const lines = [NAMES[code] ?? code, application.hmlrReference, application.id, ...(WORDS[step.kind] ?? [])]
    const { account } = application
    const download = { id, code, name: NAMES[code] ?? code, createdAt: step.at, account, bytes: pdfOf(lines) }
    state.downloads.set(id, download)
    return download
  })
}

export const listed = ({ id, code, name, createdAt }: Pick<Download, 'id' | 'code' | 'name' | 'createdAt'>) => ({
  type: { code, name },
  created_at: createdAt.toISOString(),
  download_id: id,
})
