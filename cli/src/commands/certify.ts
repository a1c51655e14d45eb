import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { DELIVERIES, tryReceiver } from '../certify/receiver.ts'
import { fileOf, linesOf, type Report, resultOf, summaryOf } from '../certify/report.ts'
import { OWN, runSituation } from '../certify/run.ts'
import { type Finding, notSeen, SITUATIONS } from '../certify/situations.ts'
import { EXIT, Failure, misused } from '../failure.ts'
import { withExamples } from '../program.ts'
import type { Session } from '../session.ts'
import type { Define } from '../table.ts'

type Options = { run?: string; receiver?: string; only?: string; client?: string; seconds: string; out?: string }

const NAMES = [...SITUATIONS, ...DELIVERIES].map(({ name }) => name)
const SECONDS_MAX = 3_000

export const define: Define = (command, run) => {
  command
    .description(
      'Checks in the sandbox whether your own client is ready for the live service. It prepares one situation after the ' +
        'other, lets your client act, and reads in the request log what it did. Your registered receiver gets deliveries ' +
        'that it must refuse. Exit code 4 unless every situation was seen and handled.',
    )
    .option(
      '--run <command>',
      'your client: run once for each situation, with LODGEWAY_SITUATION; without it you are asked to act',
    )
    .option(
      '--receiver <registrationId>',
      'the registration whose receiver is tried; by default the newest that is verified',
    )
    .option('--only <names>', `some of: ${NAMES.join(', ')}`)
    .option('--client <id>', 'the client whose calls are watched; by default that of the profile')
    .option('--seconds <n>', 'how long your client may take for a situation', '120')
    .option('--out <file>', 'also write the report to a file, as JSON if its name ends with .json')
  withExamples(command, [
    ['lodgeway certify', 'asks you to let your client act'],
    ['lodgeway certify --run "npm run certify-client" --out report.txt', 'runs your client'],
    ['lodgeway certify --only forged-webhook,replayed-webhook', 'only the receiver'],
  ]).action(
    run(async (session, options: Options) => {
      const report = await certify(session, options)
      if (options.out) await writeFile(options.out, fileOf(report, options.out))
      const { print } = session
      if (session.json) print.json(report)
      else print.line(`\n${summaryOf(report)}`)
      if (report.result === 'PASSED') return
      throw new Failure(EXIT.failed, 'Not every situation was seen and handled.')
    }),
  )
}

async function certify(session: Session, options: Options): Promise<Report> {
  const wanted = options.only?.split(',') ?? NAMES
  const unknown = wanted.filter((name) => !NAMES.includes(name))
  if (unknown.length) throw misused(`There is no situation ${unknown.join(', ')}. There are: ${NAMES.join(', ')}.`)
  const seconds = Number(options.seconds)
  if (!(seconds >= 1 && seconds <= SECONDS_MAX)) throw misused(`--seconds must be 1 to ${SECONDS_MAX}.`)
  const { profile, url, isLive } = session.connect()
  if (await isLive()) throw misused(`${url} is live: certify runs in a sandbox.`)

  const clientId = options.client ?? profile.clientId
  const situations: Report['situations'] = []
  const add = ({ name, title }: { name: string; title: string }, finding: Finding) => {
    const found = { name, title, ...finding }
    situations.push(found)
    if (!session.json) for (const line of linesOf(found, session.print.paint)) session.print.line(line)
  }
  const client = await session.connect().client()
  const receiver = options.receiver ?? (await findReceiver(session))
  for (const situation of SITUATIONS.filter(({ name }) => wanted.includes(name))) {
    add(situation, await runSituation(session, situation, { clientId, run: options.run, seconds }))
  }
  for (const delivery of DELIVERIES.filter(({ name }) => wanted.includes(name))) {
    const nothing = notSeen(
      'There is no verified registration: register your receiver, or leave these out with --only.',
    )
    add(delivery, receiver ? await tryReceiver(client, receiver, delivery.kind, delivery.advice) : nothing)
  }
  return { service: url, clientId, at: session.terminal.now().toISOString(), result: resultOf(situations), situations }
}

async function findReceiver(session: Session): Promise<string | undefined> {
  const client = await session.connect().client()
  const { records } = await client.listNotificationRegistrations({
    query: { limit: 100 },
    correlationId: OWN + randomUUID(),
  })
  return records.find(({ status }) => status === 'VERIFIED')?.registrationId
}
