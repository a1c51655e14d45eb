import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { recordSubscriberAudit } from '../audit/record.ts'
import { listSubscribers, type SubscriberKind } from '../auth/store.ts'
import type { Config } from '../config.ts'
import { checkAccount } from '../hmlr/gateway.ts'
import type { Account } from '../hmlr/shapes.ts'
import { endPart, findAccount, listDoubts, saveAccount, saveLender } from '../hmlr/store.ts'
import type { Db } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import { pepperOf, usePepper } from '../secrets.ts'
import { type Commands, choice, type Options, required, subscriberIdIn, UsageError } from './input.ts'
import { change, type Operation, onDatabase } from './operate.ts'
import { table } from './table.ts'

// The accounts of law firms at HM Land Registry's Business Gateway, how lenders are named there, and answers in doubt.

const LENDER_KINDS = ['UK_COMPANY', 'OTHER_ORGANISATION'] as const

export const commands: Commands = {
  account: onDatabase(async (operation) => {
    const [verb = '', ...names] = operation.names
    const command = { set: setAccount, show: showAccount, check: check }[verb]
    if (!command) throw new UsageError('Use: set, show or check.')
    const subscriberId = subscriberIdIn(names)
    await checkKind(operation.db, subscriberId, 'LAW_FIRM')
    return command(operation, subscriberId)
  }),

  reply: onDatabase((operation) => {
    const command = { list: listParts, release: decidePart('release'), resend: decidePart('resend') }[
      operation.names[0] ?? ''
    ]
    if (!command) throw new UsageError('Missing: list, release or resend.')
    return command(operation)
  }),

  lender: onDatabase(async ({ db, names, options }) => {
    const subscriberId = subscriberIdIn(names)
    await checkKind(db, subscriberId, 'LENDER')
    const lender = { kind: choice(options, 'kind', LENDER_KINDS), companyNumber: options['number'] ?? null }
    await change(db, async (tx, actor) => {
      await saveLender(tx, subscriberId, lender)
      recordSubscriberAudit(
        tx,
        subscriberId,
        { action: 'registry lender set', ids: { subscriberId }, after: lender },
        actor,
      )
    })
    return `The lender is named to the registry as ${lender.kind}${lender.companyNumber ? ` ${lender.companyNumber}` : ''}.`
  }),
}

const MINUTE_MS = 60_000
/** Longer than a job may take. */
const UNDER_WAY_MINUTES = 20

async function listParts({ db }: Operation): Promise<string> {
  const doubts = await listDoubts(db)
  if (!doubts.length) return 'No part of an answer is in doubt.'
  return table(
    ['lodgement', 'letter', 'part', 'sent at', 'matter', 'law firm'],
    doubts.map((one) => [
      one.messageId,
      one.registryId,
      one.part,
      one.begunAt.toISOString(),
      one.customerReference,
      one.lawFirmId,
    ]),
  )
}

const VERDICTS = {
  release: { action: 'registry answer part released', says: 'It counts as attached.' },
  resend: { action: 'registry answer part sent again', says: 'It is sent again.' },
}

/** A person has looked at the registry whether a part of an answer arrived there. */
const decidePart =
  (verdict: keyof typeof VERDICTS) =>
  ({ db, names }: Operation): Promise<string> =>
    change(db, async (tx, actor) => {
      const [, messageId, registryId, part] = names
      const named = `${messageId} ${registryId} ${part}`
      const doubt = (await listDoubts(tx)).find((one) => `${one.messageId} ${one.registryId} ${one.part}` === named)
      if (!doubt) throw new UsageError('No such part is in doubt: lodgeway registry reply list shows them.')
      const { lawFirmId, begunAt } = doubt
      if (actor.at.getTime() - begunAt.getTime() < UNDER_WAY_MINUTES * MINUTE_MS) {
        throw new UsageError(`It may still be under way: try again ${UNDER_WAY_MINUTES} minutes after it was sent.`)
      }
      await endPart(tx, { ...doubt, at: verdict === 'release' ? actor.at : null })
      const { action, says } = VERDICTS[verdict]
      const ids = { submissionId: doubt.messageId }
      const after = { letter: doubt.registryId, part: doubt.part, begunAt: begunAt.toISOString() }
      recordSubscriberAudit(tx, lawFirmId, { action, ids, after }, actor)
      return `${says} The answer goes on within the hour.`
    })

async function checkKind(db: Db, subscriberId: string, kind: SubscriberKind): Promise<void> {
  const found = (await listSubscribers(db)).find((one) => one.subscriberId === subscriberId)
  if (found?.kind !== kind) throw new UsageError(`There is no such ${kind === 'LENDER' ? 'lender' : 'law firm'}.`)
}

async function setAccount({ db, config, options }: Operation, lawFirmId: string): Promise<string> {
  const vault = await vaultOf(config, db)
  const password = (await fileOf(options, 'password-file')).trim()
  const pem = { certificate: await fileOf(options, 'certificate'), key: await fileOf(options, 'key') }
  const certificateEndsAt = endOf(pem)
  const username = required(options, 'username')
  const stated = {
    telephone: required(options, 'telephone'),
    warningUnderstoodBy: required(options, 'warning-understood-by'),
  }
  await change(db, async (tx, actor) => {
    const times = { certificateEndsAt, warningUnderstoodAt: actor.at, changedAt: actor.at }
    await saveAccount(tx, vault, { lawFirmId, username, password, ...pem, ...stated, ...times })
    const after = { username, certificateEndsAt: certificateEndsAt.toISOString(), ...stated }
    recordSubscriberAudit(
      tx,
      lawFirmId,
      { action: 'registry account set', ids: { subscriberId: lawFirmId }, after },
      actor,
    )
  })
  const next = `What waits for it is tried again within an hour.\nNext: lodgeway registry account check ${lawFirmId}`
  return `The account ${username} is used for ${lawFirmId}. ${next}`
}

/** When the certificate ends. It must be that of the key. */
function endOf({ certificate, key }: { certificate: string; key: string }): Date {
  const read = new X509Certificate(certificate)
  if (!read.checkPrivateKey(createPrivateKey(key))) throw new UsageError('--key is not the key of --certificate.')
  return read.validToDate
}

async function showAccount(operation: Operation, lawFirmId: string): Promise<string> {
  const account = await accountOf(operation, lawFirmId)
  return [
    `username           ${account.username}`,
    `certificate until  ${account.certificateEndsAt.toISOString()}`,
    `telephone          ${account.telephone}`,
    `warning understood by ${account.warningUnderstoodBy}, ${account.warningUnderstoodAt.toISOString()}`,
    `changed            ${account.changedAt.toISOString()}`,
  ].join('\n')
}

async function check(operation: Operation, lawFirmId: string): Promise<string> {
  const problem = await checkAccount(operation.config.hmlr, await accountOf(operation, lawFirmId))
  if (problem) throw new UsageError(problem.message)
  return 'The gateway accepts the certificate and the credentials.'
}

async function accountOf({ db, config }: Operation, lawFirmId: string): Promise<Account> {
  const account = await findAccount(db, await vaultOf(config, db), lawFirmId)
  if (!account) throw new UsageError('The law firm has no account. Next: lodgeway registry account set.')
  return account
}

async function vaultOf(config: Config, db: Db) {
  const pepper = await pepperOf(config)
  await usePepper(db, pepper)
  return openVault(pepper)
}

async function fileOf(options: Options, name: string): Promise<string> {
  const path = required(options, name)
  return readFile(path, 'utf8').catch((error) => {
    throw new UsageError(`--${name} names ${path}, which cannot be read (${error.code}).`)
  })
}
