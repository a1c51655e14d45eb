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
import { listSessions } from '../people/store-sessions.ts'
import { notFound } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { CHANGE, changerOf, OPERATOR_PATH, type OperatorParts, VIEW } from './parts.ts'
import { checkNotOneself } from './rules.ts'
import { InvitationRequest, PeopleQuery, PersonPath, RolesRequest } from './schema.ts'

const PEOPLE = `${OPERATOR_PATH}/people`

/** People who use the console, other operators among them. */
export function peopleRoutes(app: App, { deps, settings }: OperatorParts): void {
  const { db } = deps
  const change = changerOf(deps)

  app.route({
    method: 'GET',
    url: PEOPLE,
    config: VIEW,
    schema: { querystring: PeopleQuery },
    handler: async ({ query: { subscriber_id: subscriberId } }) => ({
      records: await listPeople(db.read, subscriberId === undefined ? {} : { subscriberId }),
    }),
  })

  // The link is stored only as a hash; for repeats the answer is stored encrypted.
  app.route({
    method: 'POST',
    url: PEOPLE,
    config: CHANGE,
    schema: { body: InvitationRequest },
    handler: (request, reply) =>
      change(request, reply, async (tx, actor) => {
        const personId = await addPerson(tx, request.body, actor)
        return { personId, link: settings.publicUrl + addInvitation(tx, personId) }
      }),
  })

  app.route({
    method: 'GET',
    url: `${PEOPLE}/:person_id`,
    config: VIEW,
    schema: { params: PersonPath },
    handler: async ({ params: { person_id: personId } }) => {
      const [[person], sessions] = await Promise.all([
        listPeople(db.read, { personId }),
        listSessions(db.read, personId, settings),
      ])
      if (!person) throw notFound('person_id', 'There is no such person.')
      return { ...person, sessions }
    },
  })

  app.route({
    method: 'POST',
    url: `${PEOPLE}/:person_id/link`,
    config: CHANGE,
    schema: { params: PersonPath },
    handler: (request, reply) =>
      change(request, reply, async (tx, actor) => {
        const [kind, personId] = [linkKindOf(settings), request.params.person_id]
        return { personId, kind, link: settings.publicUrl + (await addLink(tx, personId, kind, actor)) }
      }),
  })

  app.route({
    method: 'POST',
    url: `${PEOPLE}/:person_id/roles`,
    config: CHANGE,
    schema: { params: PersonPath, body: RolesRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => {
        checkNotOneself(request.params.person_id, request.operator?.operatorId ?? '')
        return setRoles(tx, request.params.person_id, request.body.roles, actor)
      }),
  })

  app.route({
    method: 'POST',
    url: `${PEOPLE}/:person_id/disable`,
    config: CHANGE,
    schema: { params: PersonPath },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => {
        checkNotOneself(request.params.person_id, request.operator?.operatorId ?? '')
        return disablePerson(tx, request.params.person_id, actor)
      }),
  })

  app.route({
    method: 'POST',
    url: `${PEOPLE}/:person_id/sign-out`,
    config: CHANGE,
    schema: { params: PersonPath },
    handler: (request, reply) =>
      change(request, reply, async (tx, actor) => ({
        ended: await endSessions(tx, request.params.person_id, actor),
      })),
  })
}
