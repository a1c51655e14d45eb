/** A piece of a name: letters that the other name has too, or letters that it does not. */
export type Run = { text: string; differs: boolean }

export type Compared = {
  ours: Run[]
  theirs: Run[]
  /** How many letters would have to be changed, added or removed. */
  letters: number
}

type Hunk = { ours: string[]; theirs: string[]; same: boolean }

/**
 * Two names letter by letter. Case, accents, hyphens and quotes make no difference, because they make none when names are
 * matched. Words that have less than half of their letters in common differ as a whole: single letters would say nothing.
 */
export function compareLetters(ours: string, theirs: string): Compared {
  const words = align(wordsOf(ours), wordsOf(theirs))
  const hunks = words.flatMap((hunk) => (hunk.same ? [hunk] : insideOf(hunk)))
  return {
    ours: runsOf(hunks, 'ours'),
    theirs: runsOf(hunks, 'theirs'),
    letters: hunks.reduce((sum, { same, ...sides }) => sum + (same ? 0 : lettersOf(sides)), 0),
  }
}

/** Without what makes no difference between names. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[‘’`´]/g, "'")
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim()

function insideOf({ ours, theirs }: Hunk): Hunk[] {
  const sides = { ours: lettersIn(ours.join('')), theirs: lettersIn(theirs.join('')) }
  const hunks = align(sides.ours, sides.theirs)
  const common = hunks.reduce((sum, hunk) => sum + (hunk.same ? hunk.ours.length : 0), 0)
  return common * 2 < Math.max(sides.ours.length, sides.theirs.length) ? [{ ...sides, same: false }] : hunks
}

/** The longest common subsequence, as runs that are the same and runs that are not. */
function align(ours: string[], theirs: string[]): Hunk[] {
  const [a, b] = [ours.map(foldName), theirs.map(foldName)]
  const length = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number) => length[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = length[i] ?? []
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const hunks: Hunk[] = []
  const add = (same: boolean, one: string[], other: string[]) => {
    const last = hunks.at(-1)
    if (last?.same !== same) hunks.push({ ours: one, theirs: other, same })
    else
      [last.ours, last.theirs] = [
        [...last.ours, ...one],
        [...last.theirs, ...other],
      ]
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) add(true, ours.slice(i, ++i), theirs.slice(j, ++j))
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) add(false, ours.slice(i, ++i), [])
    else add(false, [], theirs.slice(j, ++j))
  }
  return hunks
}

function runsOf(hunks: Hunk[], side: 'ours' | 'theirs'): Run[] {
  const runs: Run[] = []
  for (const hunk of hunks) {
    const [text, differs, last] = [hunk[side].join(''), !hunk.same, runs.at(-1)]
    if (last?.differs === differs) last.text += text
    else if (text !== '') runs.push({ text, differs })
  }
  return runs
}

const lettersOf = ({ ours, theirs }: Omit<Hunk, 'same'>): number =>
  Math.max(...[ours, theirs].map((side) => lettersIn(side.join('').trim()).length))

/** Each word with the space after it, so that the pieces together are the name. */
const wordsOf = (name: string): string[] => name.split(/(?<=\s)(?=\S)/).filter((word) => word !== '')

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' })

const lettersIn = (text: string): string[] => Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
