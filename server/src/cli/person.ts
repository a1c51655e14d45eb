import type { Config } from '../config.ts'
import {
  addInvitation,
  addLink,
  addPerson,
  disablePerson,
  endSessions,
  linkKindOf,
  setRoles,
} from '../people/manage.ts'
import { listPeople } from '../people/store.ts'
import { type Commands, first, type Options, required, UsageError, uuid } from './input.ts'
import { change, onDatabase } from './operate.ts'
import { table } from './table.ts'

export const commands: Commands = {
  invite: onDatabase(async ({ config, db, names, options }) => {
    const email = emailIn(names)
    const settings = consoleOf(config)
    const subscriber = options['subscriber']
    const person = {
      email,
      name: required(options, 'name'),
      roles: rolesIn(options),
      subscriberId: subscriber && uuid(subscriber, 'a subscriberId', 'lodgeway subscriber list'),
    }
    const path = await change(db, async (tx, actor) => addInvitation(tx, await addPerson(tx, person, actor)))
    const where = settings.provider ? `, and binds ${email} to an account at ${settings.provider.issuer}` : ''
    return `Invited ${email}.\n${config.publicUrl}${path}\nThe link works once within 7 days${where}. It is shown only once.`
  }),

  list: onDatabase(async ({ db }) =>
    table(
      ['email', 'name', 'roles', 'state', 'sessions', 'subscriber'],
      (await listPeople(db)).map(({ email, name, roles, state, sessions, subscriber }) => [
        email,
        name,
        roles.join(','),
        state,
        sessions,
        subscriber ?? '-',
      ]),
    ),
  ),

  disable: onDatabase(async ({ db, names }) => {
    const email = emailIn(names)
    await change(db, (tx, actor) => disablePerson(tx, email, actor))
    return `Disabled ${email}: locked out within 5 seconds. To let this person back in, invite them again.`
  }),

  link: onDatabase(async ({ config, db, names }) => {
    const email = emailIn(names)
    const kind = linkKindOf(consoleOf(config))
    const path = await change(db, (tx, actor) => addLink(tx, email, kind, actor))
    const what = kind === 'LINK' ? 'lets this person in once, within 10 minutes' : 'works once, within 7 days'
    return `${config.publicUrl}${path}\nThe link ${what}. Links that were made earlier no longer work.`
  }),

  roles: onDatabase(async ({ db, names, options }) => {
    const email = emailIn(names)
    const roles = rolesIn(options)
    await change(db, (tx, actor) => setRoles(tx, email, roles, actor))
    return `${email} has these roles now: ${roles.join(' ')}. All sessions of this person have ended.`
  }),

  'sign-out': onDatabase(async ({ db, names }) => {
    const email = emailIn(names)
    const ended = await change(db, (tx, actor) => endSessions(tx, email, actor))
    return `Ended ${ended} sessions of ${email}.`
  }),
}

const emailIn = (names: readonly string[]) => first(names, 'the e-mail address')

const rolesIn = (options: Options) =>
  required(options, 'roles')
    .split(/[\s,]+/)
    .filter(Boolean)

function consoleOf({ console }: Config) {
  if (!console) throw new UsageError('The console is off: set CONSOLE_ISSUER, or CONSOLE=on and CONSOLE_LINKS=on.')
  return console
}
