import type { Readable } from 'node:stream'
import type { Session } from '../session.ts'
import type { FeedEvent } from './place.ts'

// Single keys at a terminal.

type Keyboard = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
type Actions = { again(): void; end(): void; toggle(): void }

const CTRL_C = '\u0003'

/** Does what keys ask for, until the returned function is called. Without a terminal nothing is read. */
export function onKeys(session: Session, last: () => FeedEvent | undefined, actions: Actions): () => void {
  const { terminal, print, connect } = session
  const stdin: Keyboard = terminal.stdin
  if (!stdin.isTTY || !stdin.setRawMode) return () => {}
  const keys: Readonly<Record<string, () => void>> = {
    r: actions.again,
    e: actions.toggle,
    q: actions.end,
    [CTRL_C]: actions.end,
    o() {
      const workspaceId = last()?.data.workspaceId
      const path = workspaceId ? `/console/matters/${workspaceId}` : '/console/deliveries'
      terminal.browse(connect().url + path).catch(() => print.note(connect().url + path))
    },
    c() {
      const event = last()
      if (!event) return
      // OSC 52: the terminal puts it into the clipboard, also over ssh.
      terminal.stderr.write(`\u001b]52;c;${Buffer.from(JSON.stringify(event)).toString('base64')}\u0007`)
      print.note(`Copied ${event.type}.`)
    },
  }
  const press = (data: Buffer) => {
    for (const key of data.toString()) keys[key]?.()
  }
  stdin.setRawMode(true)
  stdin.on('data', press).resume()
  return () => {
    stdin.off('data', press).pause()
    stdin.setRawMode?.(false)
  }
}
