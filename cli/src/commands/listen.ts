import { findOperation } from '../document.ts'
import { EXIT, Failure, misused } from '../failure.ts'
import { listen } from '../listen/listen.ts'
import { withExamples } from '../program.ts'
import type { Session } from '../session.ts'
import { durationOf } from '../since.ts'
import { nearest } from '../suggest.ts'
import type { Define } from '../table.ts'

type Options = {
  forward?: string
  types?: string
  since?: string
  print?: true
  secret?: string
  for?: string
  expect?: string
}

export const define: Define = (command, run) => {
  command
    .description(
      'Sends your events to a receiver on this machine, signed as the service signs them. Needs no public address. ' +
        'Goes on where it stopped: nothing is lost by sleep, crash or restart, and the order within a matter is kept.',
    )
    .option('--forward <address>', 'where your receiver listens, such as http://localhost:3000/hooks')
    .option('--types <list>', 'only these types of events, separated by commas')
    .option('--since <when>', 'instead of where it stopped: 10m, 2h, 1d, a cursor, or `beginning`')
    .option('--print', 'print the events, too; without --forward only print them')
    .option('--secret <secret>', 'sign with this secret (whsec_…) instead of the one of the profile')
    .option('--for <time>', 'end after this time, such as 30s or 5m')
    .option('--expect <type>', 'end as soon as an event of this type is delivered; with --for, fail if none was')
  withExamples(command, [
    ['lodgeway listen --forward http://localhost:3000/hooks', ''],
    ['lodgeway listen --print --since 1h', 'what happened, and what happens'],
    ['lodgeway listen --forward http://localhost:3000/hooks --for 30s --expect WORKSPACE_CREATED', 'in a test'],
  ]).action(
    run(async (session, options: Options) => {
      const { forward, print, types, since, secret, expect } = options
      if (!forward && !print) throw misused('Give --forward with the address of your receiver, or --print.')
      const forMs = options.for === undefined ? undefined : durationOf(options.for)
      if (options.for !== undefined && forMs === undefined) throw misused('--for expects a time such as 30s or 5m.')
      const wanted = types?.split(',').map((type) => type.trim())
      const address = forward === undefined ? undefined : addressOf(forward)
      await checkTypes(session, [...(wanted ?? []), ...(expect ? [expect] : [])])
      const isExpected = await listen(session, {
        address,
        types: wanted,
        since,
        isPrinted: print === true,
        secret,
        forMs,
        expect,
      })
      if (expect && !isExpected) {
        throw new Failure(EXIT.refused, `No ${expect} was delivered${options.for ? ` within ${options.for}` : ''}.`)
      }
    }),
  )
}

/** One with a typing error would never come. */
async function checkTypes({ terminal, connect }: Session, given: readonly string[]): Promise<void> {
  if (given.length === 0) return
  const { operation, schemaAt } = await findOperation(terminal, connect(), 'createNotificationRegistration')
  const types = schemaAt(operation?.body['application/json']?.schema, ['eventTypes'])?.items?.enum ?? []
  const wrong = types.length > 0 && given.find((type) => !types.includes(type))
  if (!wrong) return
  const meant = nearest(wrong, types)
  throw misused(`There is no type of event ${wrong}.${meant ? ` Did you mean ${meant}?` : ''}`)
}

/** The same address always has the same text, so that it has one state. */
export function addressOf(text: string): string {
  const whole = /^\d{1,5}$/.test(text) ? `http://localhost:${text}/` : text
  if (!URL.canParse(whole) || !/^https?:$/.test(new URL(whole).protocol)) {
    throw misused(`"${text}" is not an address such as http://localhost:3000/hooks.`)
  }
  return new URL(whole).href
}
