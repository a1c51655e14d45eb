import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceProcess } from '../fixtures/process.ts'
import { callerOf, PARTNER } from '../fixtures/service.ts'

// `npm run fuzz`: Schemathesis (from PyPI) tests the whole contract against a separate sandbox, once with the token of
// a lender and once with that of a law firm. docs/contract-fuzzing.md explains what it reports.

const CLIENTS = ['sandbox-lender', 'sandbox-law-firm']
const PROGRAM = process.env['SCHEMATHESIS'] ?? 'schemathesis'
const SECONDS_EACH = (Number(process.env['FUZZ_MINUTES'] ?? 10) * 60) / CLIENTS.length

// Each changes the world under the other operations: 503 everywhere, all data gone, years passed.
const LEFT_OUT = ['setMaintenance', 'resetSandbox', 'moveClock']

const service = await serviceProcess({ LOG_LEVEL: 'error' })
try {
  await service.start()
  const { call, tokenOf } = callerOf(service.url)
  for (const client of CLIENTS) {
    process.stdout.write(`\n${client}\n`)
    if (!(await fuzz(await tokenOf(client), await writeConfig(call)))) process.exitCode = 1
  }
} finally {
  await service.kill('SIGTERM')
  await service.remove()
}

async function fuzz(token: string, config: string): Promise<boolean> {
  const child = spawn(
    PROGRAM,
    [
      ...['--config-file', config, 'run', `${service.url}/openapi.json`],
      ...['--header', `Authorization: Bearer ${token}`],
      ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
      ...['--max-time', String(SECONDS_EACH), '--continue-on-failure', '--generation-database', 'none'],
      ...['--generation-allow-x00', 'false'], // PostgreSQL stores no NUL, and JSON Schema has no short way to say so
      ...LEFT_OUT.flatMap((id) => ['--exclude-operation-id', id]),
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', cwd: service.dataDir }, // it leaves a folder where it runs
  )
  const tooLong = setTimeout(() => child.kill('SIGINT'), (SECONDS_EACH + 60) * 1_000)
  const [code] = await once(child, 'exit').finally(() => clearTimeout(tooLong))
  return code === 0
}

/** Most requests name something that exists, so that they come further than 404. */
async function writeConfig(call: Call): Promise<string> {
  const read = async (path: string) =>
    (await call<{ records: Found[] }>('GET', `${PARTNER}${path}`, { as: 'sandbox-law-firm' })).body.records
  const [one, ...others] = (await read('/workspaces?status=CREATED')).map(({ workspaceId }) => workspaceId)
  const [matter] = await read(`/lodgement-cases?workspace_id=${one}`)
  const [schedule] = await read(`/financial-settlement-schedules?workspace_id=${one}`)
  const known = {
    workspace_id: others, // one of them is cancelled before long
    lodgement_case_id: [matter?.lodgementCaseId],
    application_id: matter?.applications.map(({ applicationId }) => applicationId) ?? [],
    financial_settlement_schedule_id: [schedule?.financialSettlementScheduleId],
  }
  const file = join(service.dataDir, 'schemathesis.toml')
  await writeFile(
    file,
    [
      '[checks.positive_data_acceptance]', // allowed responses to a valid request, in addition to 2xx
      'expected-statuses = ["2xx", "304", "401", "403", "404", "409", "412", "416", "422", "429"]',
      ...Object.entries(known).map(([name, ids]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(ids)}`),
      '[parameters]',
      ...Object.keys(known).map((name) => `${name} = { dictionary = "${name}", probability = 0.8 }`),
    ].join('\n'),
  )
  return file
}

type Call = ReturnType<typeof callerOf>['call']
type Found = {
  workspaceId: string
  lodgementCaseId: string
  applications: { applicationId: string }[]
  financialSettlementScheduleId: string
}
