import type { Lodgeway } from '../../client/src/index.ts'
import { misused } from './failure.ts'
import type { Session } from './session.ts'

/** The client, for what only a sandbox can do. */
export async function sandboxOf({ connect }: Session): Promise<Lodgeway> {
  const { url, isLive, client } = connect()
  if (await isLive()) throw misused(`${url} is no sandbox: scenarios and the clock exist only there.`)
  return client()
}
