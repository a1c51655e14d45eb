// A page of the guide, and the programs that its blocks make.

export type Block = { language: string; line: number; text: string }
export type Page = { name: string; lines: string[]; blocks: Block[] }

type Language = 'sh' | 'ts' | 'python'

const FENCE = /^```(\w*)$/
const SHOWN = ['json', 'text']
/** A character that no page prints. */
const MARK = '\u001e'

const MARKERS: Record<Language, (line: number) => string> = {
  sh: (line) => `printf '\\n\\036%s\\n' ${line}`,
  ts: (line) => `process.stdout.write('\\n\\x1e${line}\\n')`,
  python: (line) => `print('\\n\\x1e${line}')`,
}

export function readPage(name: string, text: string): Page {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let open: Block | undefined
  for (const [index, line] of lines.entries()) {
    const [, language] = FENCE.exec(line) ?? []
    if (open && language !== '') open.text += `${line}\n`
    else if (open) open = undefined
    else if (language !== undefined) {
      open = { language, line: index + 2, text: '' }
      blocks.push(open)
    }
  }
  return { name, lines, blocks }
}

/**
 * All blocks of a language as one program, every line at its place on the page, so that an error in line 40 is in
 * line 40 of the page. After each block it prints where the block began.
 */
export function programOf({ lines, blocks }: Page, language: Language): string {
  const program = lines.map(() => '')
  for (const { line, text } of blocks.filter((block) => block.language === language)) {
    const code = text.split('\n').slice(0, -1)
    program.splice(line - 1, code.length, ...code)
    program[line - 1 + code.length] = MARKERS[language](line)
  }
  return program.join('\n')
}

/** All blocks of a language, as pasted into one file. */
export const pasted = ({ blocks }: Page, language: Language): string =>
  blocks
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('\n')

/** What each block printed, by the line where it began; under 0 what came after the last that ended well. */
export function outputsOf(output: string): Map<number, string> {
  const found = new Map<number, string>()
  const [first = '', ...rest] = output.split(MARK)
  let printed = first
  for (const piece of rest) {
    const end = piece.indexOf('\n')
    found.set(Number(piece.slice(0, end)), printed)
    printed = piece.slice(end + 1)
  }
  return found.set(0, printed)
}

/** The blocks of a language, each with what the page shows as its output. */
export function examplesOf({ blocks }: Page, language: Language): { block: Block; shown?: Block }[] {
  return blocks.flatMap((block, index) => {
    if (block.language !== language) return []
    const next = blocks[index + 1]
    return [next && SHOWN.includes(next.language) ? { block, shown: next } : { block }]
  })
}
