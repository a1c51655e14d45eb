/** Aborts an attempt when the caller does, or when it has been silent for too long. */
export type Watch = {
  /** For `fetch`. */
  readonly signal: AbortSignal
  /** Data was sent or received: the timeout starts again. */
  touch(): void
  /** Nothing is expected from the service for now: stops the timeout. */
  rest(): void
  /** The attempt is over: stops listening to the caller's signal. */
  release(): void
}

export function startWatch(silenceMsMax: number, caller?: AbortSignal): Watch {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const rest = () => clearTimeout(timer)
  const end = () => {
    rest()
    controller.abort(caller?.reason)
  }
  const touch = () => {
    rest()
    if (isOver) return // the rest of a body that is no longer needed
    const reason = new Error(`Nothing was received for ${silenceMsMax} ms.`)
    timer = setTimeout(() => controller.abort(reason), silenceMsMax)
  }
  const release = () => {
    isOver = true
    rest()
    caller?.removeEventListener('abort', end)
  }
  if (caller?.aborted) end()
  else {
    caller?.addEventListener('abort', end, { once: true })
    touch()
  }
  return { signal: controller.signal, touch, rest, release }
}
