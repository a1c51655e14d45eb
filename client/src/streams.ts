/**
 * A web stream over a generator, at the pace of its reader. A generator that never started cannot clean up; `onUnread`
 * does it then.
 */
export function streamOf(
  generator: AsyncGenerator<Uint8Array, void, void>,
  onUnread?: () => Promise<void>,
): ReadableStream<Uint8Array> {
  let hasBegun = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        hasBegun = true
        const { done, value } = await generator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        if (hasBegun) await generator.return()
        else await onUnread?.()
      },
    },
    { highWaterMark: 0 },
  )
}
