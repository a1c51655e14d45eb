import type { Deps } from '../platform/deps.ts'
import type { Registry, RegistryCall, WaitReason } from '../registry/port.ts'
import { ACCOUNT_PAUSE_MS, openGateway, Unavailable } from './gateway.ts'
import { notices } from './notices.ts'
import { openDocument, searchTitle } from './search.ts'
import { lodge, reply, submit } from './sending.ts'
import type { Settings } from './settings.ts'
import type { Account } from './shapes.ts'
import { findAccount } from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NO_ACCOUNT = { because: 'NO_ACCOUNT', afterMs: ACCOUNT_PAUSE_MS } as const

/** HM Land Registry, through its Business Gateway. `docs/registry-hmlr.md` explains it. */
export function openHmlr({ db, vault, log }: Pick<Deps, 'db' | 'vault' | 'log'>, settings: Settings): Registry {
  const gateway = openGateway(settings)
  const parts = { db, gateway, settings, reread: new Set<string>() }

  /** Asks with the account of the law firm. What passes by itself is asked again, after pauses that grow. */
  async function asking<T>(
    call: RegistryCall,
    ask: (account: Account) => Promise<T>,
    later: (at: Date, because: WaitReason | undefined) => T,
  ): Promise<T> {
    const { lawFirmId, messageId, correlationId, now, firstAskedAt } = call
    try {
      const account = await findAccount(db, vault, lawFirmId)
      if (!account) throw new Unavailable('The law firm has no account at the gateway.', NO_ACCOUNT)
      return await ask(account)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      const { message: reason, because } = error
      const level = because === 'NO_ACCOUNT' || because === 'ACCOUNT_REFUSED' ? 'error' : 'warn'
      log[level]({ lawFirmId, messageId, correlationId, reason, because }, 'The registry is asked again later.')
      const passed = Math.min(Math.max(now.getTime() - firstAskedAt.getTime(), MINUTE_MS), HOUR_MS)
      return later(new Date(now.getTime() + Math.max(passed, error.afterMs)), because)
    }
  }
  const asLater = (askAgainAt: Date, because: WaitReason | undefined) =>
    ({ kind: 'later', askAgainAt, because }) as const

  return {
    searchTitle: (titleNumber, call) =>
      asking(call, (account) => searchTitle(parts, account, titleNumber, call), asLater),
    lodge: (lodgement, call) => asking(call, (account) => lodge(parts, account, lodgement, call), asLater),
    openDocument: (document, call) => asking(call, (account) => openDocument(parts, account, document), asLater),
    reply: (answer, call) => asking(call, (account) => reply(parts, account, answer, call), asLater),
    notices: (call) =>
      asking(
        call,
        (account) =>
          notices(parts, account, call, (submission, attempt) => submit(parts, account, submission, attempt, call.now)),
        (askAgainAt, because) => ({ notices: [], askAgainAt, because }),
      ),
  }
}
