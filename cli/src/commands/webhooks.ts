import { text as textOf } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Input } from '../../../client/src/index.ts'
import { verifyWebhook } from '../../../client/src/webhooks.ts'
import { findOperation } from '../document.ts'
import { misused } from '../failure.ts'
import { waitForOutcome } from '../outcome.ts'
import { withExamples } from '../program.ts'
import type { Session } from '../session.ts'
import type { Define, Run } from '../table.ts'
import { shortDate } from '../time.ts'

type EventTypes = Input<'createNotificationRegistration'>['body']['eventTypes']

export const define: Define = (command, run) => {
  command.description('Where the service sends your events, and how to verify what it sent.')
  defineList(command.command('list').summary('list your webhooks'), run)
  defineAdd(command.command('add').summary('register an address'), run)
  defineTest(command.command('test').summary('send a test, and see how it was answered'), run)
  defineRotate(command.command('rotate').summary('get a new shared secret'), run)
  defineVerify(command.command('verify').summary('find out what is wrong with a signature'), run)
}

function defineList(command: Command, run: Run): void {
  withExamples(command.description('Lists your webhooks, newest first.'), [['lodgeway webhooks list']]).action(
    run(async ({ connect, print, json }) => {
      const page = await (await connect().client()).listNotificationRegistrations({ query: { limit: 100 } })
      if (json) return print.json(page)
      if (page.records.length === 0) return print.note('There are none: `lodgeway webhooks add URL` registers one.')
      print.table(
        ['id', 'address', 'status', 'events', 'secret ends'],
        page.records.map((one) => [
          one.registrationId,
          one.webhookURI,
          one.status.toLowerCase(),
          one.eventTypes.length,
          shortDate(one.sharedSecretExpiry),
        ]),
      )
    }),
  )
}

function defineAdd(command: Command, run: Run): void {
  command
    .description('Registers an address. It is sent a challenge, and events once it has answered that.')
    .argument('<url>', 'https; in the sandbox also http, to this machine')
    .option('--types <types>', 'event types with commas between them; default: all')
    .option('--yes', 'do not ask before a change of a live service')
  withExamples(command, [
    ['lodgeway webhooks add https://partner.example/hooks'],
    ['lodgeway webhooks add http://127.0.0.1:3000 --types WORKSPACE_CREATED,LODGEMENT_REGISTERED'],
  ]).action(
    run(async (session, webhookURI: string, { types }: { types?: string }) => {
      const eventTypes = (types?.split(',').map((one) => one.trim()) ?? (await allTypes(session))) as EventTypes
      await session.confirm(`register ${webhookURI}`)
      const client = await session.connect().client()
      const made = await client.createNotificationRegistration({ body: { webhookURI, eventTypes } })
      if (session.json) return session.print.json(made)
      session.print.line(`${made.registrationId}  ${made.webhookURI}  ${made.eventTypes.length} types`)
      showSecret(session, made.sharedSecret)
    }),
  )
}

async function allTypes({ terminal, connect }: Session): Promise<string[]> {
  const { operation, schemaAt } = await findOperation(terminal, connect(), 'createNotificationRegistration')
  return schemaAt(operation?.body['application/json']?.schema, ['eventTypes', '0'])?.enum ?? []
}

function showSecret({ print }: Session, secret: string): void {
  print.line(`secret  ${secret}`)
  print.note('The secret is shown only once.')
}

function defineTest(command: Command, run: Run): void {
  command
    .description(
      'Sends a signed TEST event, or the challenge where the address is not verified. Exit code 4 if it failed.',
    )
    .argument('<id>', 'of the webhook: `lodgeway webhooks list`')
  withExamples(command, [['lodgeway webhooks test 5b0f…']]).action(
    run(async ({ connect, print, json }, id: string) => {
      const connection = connect()
      const path = { registration_id: id }
      const accepted = await (await connection.client()).testNotificationRegistration({ path })
      const input = { path, query: {}, header: {}, files: {} }
      const delivery = await waitForOutcome(connection, 'testNotificationRegistration', accepted, input)
      if (json) return print.json(delivery)
      print.line('Delivered: the receiver answered.')
    }),
  )
}

function defineRotate(command: Command, run: Run): void {
  command
    .description('Gets a new shared secret. For 24 hours both sign, so that a receiver can take either.')
    .argument('<id>', 'of the webhook: `lodgeway webhooks list`')
    .option('--yes', 'do not ask before a change of a live service')
  withExamples(command, [['lodgeway webhooks rotate 5b0f…']]).action(
    run(async (session, id: string) => {
      await session.confirm(`rotate the secret of ${id}`)
      const path = { registration_id: id }
      const rotated = await (await session.connect().client()).rotateNotificationSecret({ path })
      return session.json ? session.print.json(rotated) : showSecret(session, rotated.sharedSecret)
    }),
  )
}

type VerifyOptions = { header: string[]; secret?: string; tolerance: string }

function defineVerify(command: Command, run: Run): void {
  command
    .description(
      'Reads the body of a delivery from the input and says whether its signature is right or, if not, what the mistake ' +
        'is. The input may begin with the headers and an empty line. Nothing is sent.',
    )
    .option(
      '-H, --header <name: value>',
      'a header of the delivery; repeat it',
      (one, all: string[]) => [...all, one],
      [],
    )
    .option('--secret <whsec_…>', 'the shared secret; default: LODGEWAY_WEBHOOK_SECRET')
    .option('--tolerance <seconds>', 'how old it may be', '300')
  withExamples(command, [
    ['lodgeway webhooks verify --secret whsec_… < delivery.txt', 'headers, an empty line, the body'],
    ["lodgeway webhooks verify -H 'webhook-id: …' -H 'webhook-timestamp: …' -H 'webhook-signature: …' < body.json", ''],
  ]).action(
    run(async ({ terminal, print, json }, { header, secret, tolerance }: VerifyOptions) => {
      const input = await textOf(terminal.stdin)
      const [head, body] = header.length ? [header, input] : splitHead(input)
      const event = verifyWebhook({
        secret: secret ?? terminal.env['LODGEWAY_WEBHOOK_SECRET'] ?? '',
        headers: Object.fromEntries(head.map(headerOf)),
        body,
        toleranceSeconds: Number(tolerance),
        now: terminal.now(),
      })
      return json ? print.json(event) : print.line(`The signature is right: ${event.type} ${event.id}`)
    }),
  )
}

/** The headers before the first empty line, and what follows it byte for byte. */
function splitHead(input: string): [head: string[], body: string] {
  const [, head = '', body = input] = /^((?:[\w-]+:[^\r\n]*\r?\n)+)\r?\n([\s\S]*)$/.exec(input) ?? []
  return [head.split(/\r?\n/).filter(Boolean), body]
}

function headerOf(line: string): [name: string, value: string] {
  const at = line.indexOf(':')
  if (at < 1) throw misused(`"${line}" is not a header such as "webhook-id: …".`)
  return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
}
