const HEAD_BYTES_MAX = 65_536
const FIELD = /name="(\w+)"\r\n\r\n([^\r]*)\r\n/g

/**
 * A form with a file, from its beginning. `fields` are those in front of the file, only to show them again. The rest is in
 * memory only while it passes.
 */
export async function openForm(arriving: ReadableStream<Uint8Array>) {
  const reader = arriving.getReader()
  const pieces: Uint8Array[] = []
  let head = ''
  while (!head.includes('; filename=') && head.length < HEAD_BYTES_MAX) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    head += Buffer.from(value).toString('latin1', 0, HEAD_BYTES_MAX)
  }
  async function* whole() {
    yield* pieces
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
  }
  const fields = [...head.matchAll(FIELD)].map(([, name = '', value = '']): [string, string] => [name, value])
  return {
    fields: new URLSearchParams(fields),
    body: ReadableStream.from<Uint8Array>(whole()),
    /** A browser reads the answer only after it has sent everything. */
    async drain(): Promise<void> {
      for (let isDone = false; !isDone; ) isDone = (await reader.read()).done
    },
  }
}
