import { addSubscriber, setDecisions, setStatus } from '../auth/manage.ts'
import { DECISIONS, listSubscribers, SUBSCRIBER_KINDS } from '../auth/store.ts'
import { setAccount } from '../manual-payments/account.ts'
import { type Commands, choice, required, subscriberIdIn } from './input.ts'
import { change, onDatabase } from './operate.ts'
import { table } from './table.ts'

const SWITCH = ['on', 'off'] as const

export const commands: Commands = {
  add: onDatabase(async ({ db, options }) => {
    const name = required(options, 'name')
    const kind = choice(options, 'kind', SUBSCRIBER_KINDS)
    const fourEyes = choice({ 'four-eyes': 'on', ...options }, 'four-eyes', SWITCH) === 'on'
    const reports = choice({ reports: 'on', ...options }, 'reports', SWITCH) === 'on'
    const { subscriberId } = await change(db, async (tx, actor) =>
      addSubscriber(tx, { name, kind, fourEyes, reports }, actor),
    )
    return `Added ${name}.\nsubscriberId  ${subscriberId}\nNext: lodgeway client add ${subscriberId}`
  }),

  list: onDatabase(async ({ db }) =>
    table(
      ['subscriberId', 'kind', 'status', 'clients', 'name'],
      (await listSubscribers(db)).map((one) => [one.subscriberId, one.kind, one.status, one.clients, one.name]),
    ),
  ),

  suspend: onDatabase(async ({ db, names }) => {
    const id = subscriberIdIn(names)
    await change(db, (tx, actor) => setStatus(tx, id, 'SUSPENDED', actor))
    return `Suspended ${id}: all its clients are locked out within 5 seconds, and its webhooks wait.`
  }),

  account: onDatabase(async ({ db, names: [, ...names], options }) => {
    const id = subscriberIdIn(names)
    const account = {
      accountName: required(options, 'name'),
      accountNumber: required(options, 'account'),
      sortCode: required(options, 'sort-code'),
    }
    await change(db, (tx, actor) => setAccount(tx, id, account, actor))
    return `Set the account that ${id} pays from.`
  }),

  decisions: onDatabase(async ({ db, names }) => {
    const id = subscriberIdIn(names)
    const decisions = choice({ decisions: names[1] }, 'decisions', DECISIONS)
    await change(db, (tx, actor) => setDecisions(tx, id, decisions, actor))
    if (decisions === 'any') return `The clients of ${id} may approve, authorise and confirm within 5 seconds.`
    return `Only people who signed in to the console approve, authorise and confirm for ${id}, within 5 seconds.`
  }),

  resume: onDatabase(async ({ db, names }) => {
    const id = subscriberIdIn(names)
    await change(db, (tx, actor) => setStatus(tx, id, 'ACTIVE', actor))
    return `Resumed ${id}: its waiting webhooks are sent.`
  }),
}
