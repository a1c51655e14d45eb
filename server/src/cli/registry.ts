import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { recordSubscriberAudit } from '../audit/record.ts'
import { listSubscribers, type SubscriberKind } from '../auth/store.ts'
import type { Config } from '../config.ts'
import { checkAccount } from '../hmlr/gateway.ts'
import type { Account } from '../hmlr/shapes.ts'
import { findAccount, saveAccount, saveLender } from '../hmlr/store.ts'
import type { Db } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import { pepperOf, usePepper } from '../secrets.ts'
import { type Commands, choice, type Options, required, subscriberIdIn, UsageError } from './input.ts'
import { change, type Operation, onDatabase } from './operate.ts'

// The accounts of law firms at HM Land Registry's Business Gateway, and how lenders are named there.

const LENDER_KINDS = ['UK_COMPANY', 'OTHER_ORGANISATION'] as const

export const commands: Commands = {
  account: onDatabase(async (operation) => {
    const [verb = '', ...names] = operation.names
    const command = { set: setAccount, show: showAccount, check: check }[verb]
    if (!command) throw new UsageError('Missing: set, show or check.')
    const subscriberId = subscriberIdIn(names)
    await checkKind(operation.db, subscriberId, 'LAW_FIRM')
    return command(operation, subscriberId)
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

async function checkKind(db: Db, subscriberId: string, kind: SubscriberKind): Promise<void> {
  const found = (await listSubscribers(db)).find((one) => one.subscriberId === subscriberId)
  if (found?.kind !== kind) throw new UsageError(`There is no such subscriber of kind ${kind}.`)
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
