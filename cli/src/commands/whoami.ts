import { claimsOf, ownSide } from '../own-side.ts'
import { withExamples } from '../program.ts'
import type { Connection } from '../session.ts'
import type { Define } from '../table.ts'
import { KINDS } from '../words.ts'

export const define: Define = (command, run) => {
  command.description('Shows who calls which service: the subscriber, the scopes, the token and the clocks.')
  withExamples(command, [
    ['lodgeway whoami', ''],
    ['lodgeway whoami --profile sandbox-lender --json', ''],
  ]).action(
    run(async ({ print, json, connect, terminal }) => {
      const connection = connect()
      const facts = await factsOf(connection, terminal.now())
      if (json) return print.json(facts)
      const { profile, live, subscriber, clock } = facts
      const { name, kind, subscriberId } = subscriber
      const lines: [name: string, value: string | undefined][] = [
        ['profile', `${live ? print.paint('red', profile) : profile} (${connection.profile.source})`],
        ['service', `${facts.url}  ${live ? print.paint('red', 'live') : 'sandbox'}, ${facts.version}`],
        ['subscriber', name ? `${name}, ${kind && KINDS[kind]}  ${subscriberId}` : subscriberId],
        ['client', facts.clientId],
        ['scopes', facts.scopes.join(' ')],
        ['token', `ends at ${facts.tokenEndsAt}`],
        ['clock', clockSentence(clock.aheadSeconds)],
        ['sandbox clock', clock.sandbox],
      ]
      for (const [label, value] of lines) if (value) print.line(`${label.padEnd(13)}  ${value}`)
    }),
  )
}

async function factsOf(connection: Connection, now: Date) {
  const [token, live, client] = await Promise.all([connection.token(), connection.isLive(), connection.client()])
  const [subscriber, alive, clock] = await Promise.all([
    ownSide(connection),
    client.call('getLiveness'),
    live ? undefined : client.getClock(),
  ])
  const { client_id: clientId, scope = '', exp } = claimsOf(token)
  return {
    profile: connection.profile.name,
    url: connection.url,
    live,
    version: alive.headers.get('x-api-version') ?? '',
    subscriber,
    clientId,
    scopes: scope.split(' ').filter(Boolean),
    tokenEndsAt: new Date(exp * 1_000).toISOString(),
    clock: { aheadSeconds: aheadOf(alive.headers.get('date'), now), ...(clock && { sandbox: clock.now }) },
  }
}

/** By how much this machine is ahead of the service, whose `Date` has whole seconds. */
export function aheadOf(date: string | null, now: Date): number {
  const seconds = (now.getTime() - Date.parse(date ?? '')) / 1_000
  return Math.abs(seconds) >= 2 ? Math.round(seconds) : 0
}

export const clockSentence = (aheadSeconds: number): string =>
  aheadSeconds === 0
    ? 'agrees with the service'
    : `this machine is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the service`
