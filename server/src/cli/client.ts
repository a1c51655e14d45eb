import { addCheckedClient, retireOldSecret, rotateSecret, setEnabled, setLogHours, setScopes } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import { listClients } from '../auth/store.ts'
import type { Config } from '../config.ts'
import type { Db } from '../platform/database/db.ts'
import { LOG_HOURS_MAX } from '../requests/rules.ts'
import { pepperOf, usePepper } from '../secrets.ts'
import { type Commands, first, type Options, subscriberIdIn, UsageError } from './input.ts'
import { change, onDatabase } from './operate.ts'
import { table } from './table.ts'

export const commands: Commands = {
  add: onDatabase(async ({ config, db, names, options }) => {
    const subscriberId = subscriberIdIn(names)
    const scopes = scopesIn(options)
    const id = options['client-id']
    const pepper = await checkedPepper(config, db)
    const { clientId, secret } = await change(db, (tx, actor) =>
      addCheckedClient(tx, pepper, { subscriberId, scopes, ...(id ? { clientId: id } : {}) }, actor),
    )
    return `client id  ${clientId}\nsecret     ${secret}\nThe secret is shown only once.`
  }),

  list: onDatabase(async ({ db }) =>
    table(
      ['clientId', 'subscriberId', 'enabled', 'secrets', 'scopes'],
      (await listClients(db)).map((one) => [
        one.clientId,
        one.subscriberId,
        one.enabled,
        one.secrets,
        one.scopes.length,
      ]),
    ),
  ),

  scopes: onDatabase(async ({ db, names, options }) => {
    const clientId = first(names, 'clientId')
    const scopes = scopesIn(options)
    await change(db, (tx, actor) => setScopes(tx, clientId, scopes, actor))
    return `${clientId} has these scopes now: ${scopes.join(' ')}`
  }),

  rotate: onDatabase(async ({ config, db, names, options }) => {
    const clientId = first(names, 'clientId')
    if (options['retire-old'] !== undefined) {
      await change(db, (tx, actor) => retireOldSecret(tx, clientId, actor))
      return `Only the newest secret of ${clientId} works now.`
    }
    const pepper = await checkedPepper(config, db)
    const secret = await change(db, (tx, actor) => rotateSecret(tx, pepper, clientId, actor))
    return [
      `secret  ${secret}`,
      'It is shown only once. The previous secret still works; retire it with:',
      `lodgeway client rotate ${clientId} --retire-old`,
    ].join('\n')
  }),

  disable: onDatabase(async ({ db, names }) => {
    const clientId = first(names, 'clientId')
    await change(db, (tx, actor) => setEnabled(tx, clientId, false, actor))
    return `Disabled ${clientId}: it is locked out within 5 seconds.`
  }),

  enable: onDatabase(async ({ db, names }) => {
    const clientId = first(names, 'clientId')
    await change(db, (tx, actor) => setEnabled(tx, clientId, true, actor))
    return `Enabled ${clientId}.`
  }),

  log: onDatabase(async ({ db, names, options }) => {
    const clientId = first(names, 'clientId')
    const hours = options['off'] === undefined ? Number(options['hours']) : 0
    if (hours !== 0 && !(Number.isInteger(hours) && hours >= 1 && hours <= LOG_HOURS_MAX))
      throw new UsageError(`Give --hours, a whole number from 1 to ${LOG_HOURS_MAX}, or --off.`)
    await change(db, (tx, actor) => setLogHours(tx, clientId, hours, actor))
    if (hours === 0) return `The requests of ${clientId} are no longer logged.`
    return `The requests of ${clientId} are logged for ${hours} h: without bodies, queries and names. Each is erased after 24 h.`
  }),
}

/** Those that are named, else all. */
const scopesIn = (options: Options): readonly string[] =>
  options['scopes']?.split(/[\s,]+/).filter(Boolean) ?? ALL_SCOPES

async function checkedPepper(config: Config, db: Db): Promise<string> {
  const pepper = await pepperOf(config)
  await usePepper(db, pepper)
  return pepper
}
