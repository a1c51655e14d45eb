import assert from 'node:assert/strict'
import type { Block } from './page.ts'

const ANYTHING = '…'

/**
 * Compares what a block printed with what the page shows. Text: what is shown is part of the output, `…` is anything,
 * and any white space equals any other. JSON: the last response has all that is shown, and may have more; the string
 * `"…"` is any value, and as the last of an array any further ones.
 */
export function checkShown({ language, text }: Block, printed: string): void {
  if (language === 'text') assert.ok(patternOf(text.trim()).test(printed), `This is not in it:\n${text}`)
  else checkWithin(JSON.parse(text), lastJsonOf(printed), 'the answer')
}

function patternOf(shown: string): RegExp {
  const words = shown.split(/(…|\s+)/).map((word) => {
    if (word === ANYTHING) return '[\\s\\S]*?'
    return /^\s+$/.test(word) ? '\\s+' : word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(words.join(''))
}

function lastJsonOf(printed: string): unknown {
  const line = printed
    .split('\n')
    .filter((text) => /^[[{]/.test(text))
    .at(-1)
  if (!line) assert.fail(`It printed no JSON:\n${printed}`)
  return JSON.parse(line)
}

function checkWithin(shown: unknown, answer: unknown, at: string): void {
  if (shown === ANYTHING) return
  if (typeof shown === 'string' && typeof answer === 'string') {
    assert.match(answer, new RegExp(`^(?:${patternOf(shown).source})$`), at)
  } else if (Array.isArray(shown)) {
    assert.ok(Array.isArray(answer), `${at} is no array`)
    const isOpen = shown.at(-1) === ANYTHING
    if (!isOpen) assert.equal(answer.length, shown.length, `${at} has ${answer.length} elements`)
    for (const [index, item] of shown.entries()) checkWithin(item, answer[index], `${at}[${index}]`)
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof answer === 'object' && answer !== null, `${at} is no object`)
    for (const [name, value] of Object.entries(shown)) {
      checkWithin(value, (answer as Record<string, unknown>)[name], `${at}.${name}`)
    }
  } else {
    assert.equal(answer, shown, at)
  }
}
