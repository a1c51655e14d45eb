import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { misused } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Asks the person at the terminal, or reads the lines that were piped in. */
export type Questions = {
  ask(question: string): Promise<string>
  /** What is typed is not shown. */
  askSecretly(question: string): Promise<string>
  close(): void
}

export function openQuestions({ stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>): Questions {
  let isShown = true
  // With a terminal, readline shows what is typed by writing it here.
  const output = new Writable({
    write(chunk, _, done) {
      if (isShown) stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY === true })
  const waiting = lines[Symbol.asyncIterator]()
  lines.once('SIGINT', () => lines.close())
  const next = async () => {
    const { value, done } = await waiting.next()
    if (done) throw misused('Nothing was typed.')
    return value
  }
  const show = (question: string) => {
    if (!stdin.isTTY) return void stderr.write(question) // all lines may have come already
    lines.setPrompt(question) // readline writes it again when a letter is deleted
    lines.prompt()
  }
  return {
    ask(question) {
      show(question)
      return next()
    },
    async askSecretly(question) {
      show(question)
      isShown = false
      try {
        return await next()
      } finally {
        isShown = true
        stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
