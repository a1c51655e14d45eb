import type { Deps } from '../platform/deps.ts'
import type { Registry, RegistryCall } from '../registry/port.ts'
import { ACCOUNT_PAUSE_MS, openGateway, Unavailable } from './gateway.ts'
import { notices } from './notices.ts'
import { searchTitle } from './search.ts'
import { lodge, reply, submit } from './sending.ts'
import type { Settings } from './settings.ts'
import type { Account } from './shapes.ts'
import { findAccount } from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** HM Land Registry, through its Business Gateway. `docs/registry-hmlr.md` explains it. */
export function openHmlr({ db, vault, log }: Pick<Deps, 'db' | 'vault' | 'log'>, settings: Settings): Registry {
  const gateway = openGateway({ settings, log })
  const parts = { db, gateway, settings }

  /** Asks with the account of the law firm. What passes by itself is asked again, after pauses that grow. */
  async function asking<T>(
    call: RegistryCall,
    ask: (account: Account) => Promise<T>,
    later: (at: Date) => T,
  ): Promise<T> {
    const { lawFirmId, messageId, correlationId, now, firstAskedAt } = call
    try {
      const account = await findAccount(db, vault, lawFirmId)
      if (!account) throw new Unavailable('The law firm has no account at the gateway.', { afterMs: ACCOUNT_PAUSE_MS })
      return await ask(account)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      log.warn({ lawFirmId, messageId, correlationId, reason: error.message }, 'The registry is asked again later.')
      const passed = Math.min(Math.max(now.getTime() - firstAskedAt.getTime(), MINUTE_MS), HOUR_MS)
      return later(new Date(now.getTime() + Math.max(passed, error.afterMs)))
    }
  }
  const asLater = (askAgainAt: Date) => ({ kind: 'later', askAgainAt }) as const

  return {
    searchTitle: (titleNumber, call) =>
      asking(call, (account) => searchTitle(parts, account, titleNumber, call), asLater),
    lodge: (lodgement, call) => asking(call, (account) => lodge(parts, account, lodgement, call), asLater),
    reply: (answer, call) => asking(call, (account) => reply(parts, account, answer, call), asLater),
    notices: (call) =>
      asking(
        call,
        (account) =>
          notices(parts, account, call, (submission, attempt) => submit(parts, account, submission, attempt, call.now)),
        (askAgainAt) => ({ notices: [], askAgainAt }),
      ),
  }
}
