import { readFileSync } from 'node:fs'

// Preloaded (`node --import`) into a process to make its clock wrong: ahead by the number of milliseconds that the file
// in CLOCK_FILE holds at the time.

const READ_MS = 50

const RightDate = Date
let [aheadMs, readAt] = [0, Number.NEGATIVE_INFINITY]

function wrongNow(): number {
  if (performance.now() - readAt > READ_MS) {
    readAt = performance.now()
    aheadMs = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8')) || 0
  }
  return RightDate.now() + aheadMs
}

class WrongDate extends RightDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [wrongNow()] : given) as [number]))
  }

  static override now = wrongNow
}
globalThis.Date = WrongDate as DateConstructor
