/** Ends one attempt when its caller does, or when it has been silent for too long. */
export type Watch = {
  /** For `fetch`. */
  readonly signal: AbortSignal
  /** Something moved: the silence begins anew. */
  touch(): void
  /** Nothing is awaited from the service for now. */
  rest(): void
  /** It is over; lets go of the caller's signal. */
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
    if (isOver) return // the rest of a body that nobody wants any more
    const reason = new Error(`Nothing was heard for ${silenceMsMax} ms.`)
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
