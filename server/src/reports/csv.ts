const LINE_FEED = 0x0a
const QUOTE = 0x22
const CRLF = Buffer.from('\r\n')

/**
 * Ends rows with CRLF as RFC 4180 asks, where COPY writes only a line feed, and counts them. A line feed between quotes is
 * part of its cell and stays. A quote within a cell is doubled, so it closes and opens again.
 */
export async function* endRows(source: AsyncIterable<Buffer>, counted: { rows: number }): AsyncGenerator<Buffer> {
  let quoted = false
  for await (const chunk of source) {
    const ends: number[] = []
    let quote = chunk.indexOf(QUOTE)
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, end + 1)) {
      for (; quote >= 0 && quote < end; quote = chunk.indexOf(QUOTE, quote + 1)) quoted = !quoted
      if (!quoted) ends.push(end)
    }
    for (; quote >= 0; quote = chunk.indexOf(QUOTE, quote + 1)) quoted = !quoted
    counted.rows += ends.length
    yield withCrlf(chunk, ends)
  }
}

function withCrlf(chunk: Buffer, ends: readonly number[]): Buffer {
  const ended = Buffer.allocUnsafe(chunk.length + ends.length)
  let from = 0
  let to = 0
  for (const end of ends) {
    to += chunk.copy(ended, to, from, end)
    to += CRLF.copy(ended, to)
    from = end + 1
  }
  chunk.copy(ended, to, from)
  return ended
}
