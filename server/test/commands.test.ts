// Long because every command of an operator is typed next to one running sandbox.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ALL_SCOPES } from '../src/auth/scopes.ts'
import { addDays, londonDate } from '../src/jurisdiction/london.ts'
import { eventually } from './fixtures/eventually.ts'
import { commandHere, type Outcome, runCommand, type ServiceProcess, serviceProcess } from './fixtures/process.ts'

// The command line as an operator uses it, next to a running sandbox: some commands in their own process, as `typed`, the
// others in this one.

const REPORT = '/partner/api/platformconnect/v1/reports/report-workspacesummary-todate/content'
const LENDER = '10000000-0000-4000-8000-000000000001'
const LAW_FIRM = '20000000-0000-4000-8000-000000000001'

let service: ServiceProcess
before(async () => {
  service = await serviceProcess()
  await service.start()
})
after(() => service.remove())

describe('lodgeway', { concurrency: 3 }, () => {
  it('says how it is used', async () => {
    const [said, asked] = await Promise.all([typed(''), lodgeway('--help')])
    assert.match(
      said.output,
      /^For integrators:\n[\s\S]*^ {2}call [\s\S]*^For operators:\n[\s\S]*^ {2}subscriber +lenders and law firms$/m,
    )
    assert.equal(said.code, 0)
    assert.deepEqual(asked, said)
    assert.match((await lodgeway('--version')).output, /^\d+\.\d+\.\d+\n$/)
    assert.match((await lodgeway('help client')).output, /^Usage: lodgeway client [\s\S]*^ {2}rotate /m)
    const { output } = await lodgeway('client rotate --help')
    assert.match(output, /--retire-old +make no new secret[\s\S]*^Examples:\n {2}lodgeway client rotate acme$/m)
  })

  it('openapi prints what is committed', async () => {
    const committed = await readFile(resolve(import.meta.dirname, '../../openapi.json'), 'utf8')
    assert.equal((await typed('openapi')).output, committed)
  })

  it('key generate prints a private key for SIGNING_KEYS, another one each time', async () => {
    const printed = await Promise.all([done('key generate'), done('key generate')])
    const [one, other] = printed.map((output) => JSON.parse(output) as Record<string, string>)
    assert.partialDeepStrictEqual(one, { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
    assert.ok(one?.['d'] && one['kid'] && one['kid'] !== other?.['kid'])
  })

  it('migrate finds nothing to do in a database that is current', async () => {
    assert.equal(await done('migrate'), 'The database is current.\n')
  })

  it('subscriber and client give a partner access, rotate its secret, and revoke it', async () => {
    const added = await done('subscriber add --name Westbrook --kind lender --reports off')
    const subscriberId = /subscriberId +(\S+)/.exec(added)?.[1] ?? ''
    const made = await done(`client add ${subscriberId} --client-id west --scopes x-api:view:reports,view:workspaces`)
    const first = secretIn(made)
    assert.ok(await isLetIn('west', first))
    const [subscribers, clients] = await Promise.all([done('subscriber list'), done('client list')])
    assert.match(subscribers, new RegExp(`^${subscriberId} +LENDER +ACTIVE +1 +Westbrook$`, 'm'))
    assert.match(clients, new RegExp(`^west +${subscriberId} +true +1 +2$`, 'm'))

    await done('client scopes west')
    assert.match(await done('client list'), new RegExp(`^west +${subscriberId} +true +1 +${ALL_SCOPES.length}$`, 'm'))

    const second = secretIn(await done('client rotate west'))
    await eventually(() => isLetIn('west', second))
    assert.ok(await isLetIn('west', first), 'the one before it goes on working')
    await done('client rotate west --retire-old')
    await eventually(async () => !(await isLetIn('west', first)))

    assert.match(await done('client log west --hours 24'), /^The requests of west are logged for 24 h: without bodies/)
    assert.match(await done('client log west --off'), /^The requests of west are no longer logged\./)

    const SWITCHES: [command: string, letsIn: boolean][] = [
      ['client disable west', false],
      ['client enable west', true],
      [`subscriber suspend ${subscriberId}`, false],
      [`subscriber resume ${subscriberId.toUpperCase()}`, true],
    ]
    for (const [command, letsIn] of SWITCHES) {
      await done(command)
      await eventually(async () => (await isLetIn('west', second)) === letsIn)
    }
  })

  it('person invites people, gives them links and locks them out; a subscriber’s decisions can be theirs alone', async () => {
    const invite = (roles: string) =>
      lodgeway(`person invite Ann@west.example --name Ann --roles ${roles} --subscriber ${LAW_FIRM}`)
    assert.match((await invite('boss')).errors, /roles must be some of viewer/)
    assert.match((await invite('viewer,approver')).output, /^http:\/\/\S+\/console\/link\/[\w-]{43}$/m)
    assert.match(await done('person list'), /^ann@west\.example +Ann +viewer,approver +invited +0 +Harbour Conv/m)
    const [path = ''] = /\/console\/link\/\S+/.exec(await done('person link ann@west.example')) ?? []
    assert.match(await (await fetch(service.url + path)).text(), /Continue as Ann/)
    await done('person disable ann@west.example')
    assert.match((await lodgeway('person link ann@west.example')).errors, /There is nobody with the address/)
    assert.match(await done(`subscriber decisions ${LENDER} any`), /may approve, authorise and confirm/)
  })

  it('subscriber account sets the account that a law firm pays from, and says what is wrong with it', async () => {
    const set = (id: string, sortCode: string) =>
      lodgeway(`subscriber account set ${id} --name Harbour --sort-code ${sortCode} --account 31926819`)
    assert.match((await set(LAW_FIRM, '110001')).output, /^Set the account that 20000000-\S+ pays from\.\n$/)
    assert.match((await set(LAW_FIRM, '11-00-01')).errors, /the sort code must have 6 digits/)
    assert.match((await set(LENDER, '110001')).errors, /only a law firm/)
    const [row] = await service.query<{ action: string }>(`
      select entry -> 'action' as action from audit_entries where chain = '${LAW_FIRM}' order by seq desc limit 1`)
    assert.equal(row?.action, 'client account set')
  })

  it('maintenance is followed by a running service within two seconds, on and off', async () => {
    const { token } = await askForToken('sandbox-lender', 'sandbox-lender-secret')
    const status = async () => {
      const response = await fetch(service.url + REPORT, { headers: { authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
      return response.status
    }
    assert.equal(await status(), 200)
    await done('maintenance on')
    await eventually(async () => (await status()) === 503, 2_000)
    await done('maintenance off')
    await eventually(async () => (await status()) === 200, 2_000)
  })

  it('report generate makes the missing reports of a day, by default yesterday, and none twice', async () => {
    const [yesterday, before] = [addDays(londonDate(new Date()), -1), addDays(londonDate(new Date()), -2)]
    await service.query(`
      delete from reports where report_date = '${yesterday}';
      delete from reports where report_date = '${before}' and subscriber_id = '${LENDER}'`)
    const made = await typed('report generate')
    assert.match(made.output, new RegExp(`^Made 12 reports of ${yesterday} with \\d+ rows in all\\.\n$`))
    assert.match(made.errors, /^1 of 4 {2}Northgate Building Society\n2 of 4 {2}.*\n3 of 4 {2}.*\n4 of 4 {2}.*\n$/)
    assert.equal(made.code, 0)
    assert.match(await done(`report generate --date ${before}`), new RegExp(`^Made 3 reports of ${before} with`))
    const again = await done(`report generate --date ${before}`)
    assert.equal(again, `Nothing is missing: all subscribers with reports have those of ${before}.\n`)
  })

  it('job dead lists a job that failed for good, and job retry has it run again', async () => {
    await service.query(`
      update pgboss.queue set retry_limit = 0 where name = 'audit.seal';
      revoke insert on audit_anchors from lodgeway;
      insert into due (due_at, job, payload) values (now(), 'audit.seal', '{"correlationId": "doomed", "payload": {}}')`)
    await eventually(async () => (await deadJobs()) > 0)
    const dead = await done('job dead')
    const [, id] = /^(\S+) +audit\.seal +1 +\S+Z +permission denied for table audit_anchors$/m.exec(dead) ?? []
    await service.query('grant insert on audit_anchors to lodgeway')
    assert.match(await done(`job retry ${id}`), /^1 jobs? will run again/)
    assert.equal(await deadJobs(), 0)
    assert.match(await done('job retry all'), /^0 jobs will run again/)
  })

  it('names every wrong setting at once', async () => {
    const env = { PORT: 'http', ADMIN_PORT: '-1', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://db', BLOB_URL: 's3:bucket' }
    const { code, errors } = await typed('serve', env)
    const named = [...errors.matchAll(/^ {2}- (\w+) /gm)].map(([, name]) => name)
    assert.deepEqual(
      new Set(named),
      new Set([...Object.keys(env), 'SECRET_PEPPER', 'SIGNING_KEYS', 'REGISTRY', 'PAYMENTS']),
    )
    assert.equal(code, 1)
  })

  // Typed wrongly, 2; refused, 1.
  const WRONG: [command: string, says: RegExp, code?: 1][] = [
    ['nonsense', /^error: unknown command 'nonsense'/],
    ['subscribers list', /unknown command 'subscribers'\n\(Did you mean subscriber\?\)/],
    ['subscriber', /^Usage: lodgeway subscriber /],
    ['subscriber add --kind lender', /^Missing: --name\.$/],
    ['subscriber add --nam X', /^error: unknown option '--nam'\n\(Did you mean --name\?\)/],
    ['subscriber add --name X --kind bank', /^--kind must be one of lender, law-firm\.$/],
    ['subscriber suspend', /^error: missing required argument 'subscriber-id'/],
    ['subscriber suspend west', /^"west" is not a subscriberId: lodgeway subscriber list shows them\.$/],
    ['subscriber suspend 00000000-0000-4000-8000-000000000000', /^There is no such subscriber\.$/, 1],
    [`client add ${LENDER} --scopes view:everything`, /^Unknown scopes: view:everything\.$/, 1],
    ['client add 00000000-0000-4000-8000-000000000000', /^There is no such subscriber\.$/, 1],
    [`client add ${LENDER} --client-id sandbox-lender`, /^There is already a client with this id\.$/, 1],
    ['client log nobody --hours 1', /^There is no such client\.$/, 1],
    ['client log sandbox-lender --hours 25', /^Give --hours, a whole number from 1 to 24, or --off\.$/],
    ['client log sandbox-lender', /^Give --hours/],
    ['client rotate nobody', /^There is no such client\.$/, 1],
    ['maintenance maybe', /^error: unknown command 'maybe'/],
    ['job retry', /^error: missing required argument 'id'/],
    ['job retry west', /^"west" is not the id of a job: lodgeway job dead shows them\.$/],
    ['toString', /^error: unknown command 'toString'/],
    ['report generate --date 14-03-2026', /^date must have the format yyyy-mm-dd\.$/, 1],
    ['report generate --date 2026-02-31', /^Reports can be made for \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: days that/],
    [`report generate --date ${londonDate(new Date())}`, /^Reports can be made for/],
    ['migrate --quickly', /^error: unknown option '--quickly'/],
    ['migrate --for everyone', /^--for must be one of serve, work\.$/],
    ['migrate --for serve', /^--for needs DATABASE_URL, the URL of that role\.$/],
    ['audit verify --anchor 12', /^--anchor must be the hash of an anchor: 64 hexadecimal digits\.$/],
  ]
  for (const [command, says, code = 2] of WRONG) {
    it(`refuses with a sentence: ${command}`, async () => {
      const run = command === 'nonsense' ? typed : lodgeway
      const { output, errors, ...outcome } = await run(command)
      assert.match(errors.trim(), says)
      assert.doesNotMatch(errors, /\n +at /, 'a sentence, not a stack')
      assert.deepEqual({ code: outcome.code, output }, { code, output: '' })
    })
  }
})

describe('lodgeway audit verify', () => {
  it('finds the audit whole, and names what was altered and what is missing', async () => {
    const whole =
      /^The audit is whole: \d+ entries in \d+ chains, \d+ anchors, newest ([0-9a-f]{64})\.( The anchor .+\.)?\n$/
    const [, newest = ''] = whole.exec(await done('audit verify')) ?? assert.fail('not whole')
    assert.match(await done(`audit verify --anchor ${newest}`), / Your anchor is among them\.\n$/)
    const other = await lodgeway(`audit verify --anchor ${'0'.repeat(64)}`)
    assert.match(other.output, /^- No anchor has the hash 0{64}: .+\nThe audit is NOT whole/)
    assert.equal(other.code, 1)
    await service.query(`
      update audit_entries set entry = entry || '{"action": "nothing"}' where chain = '${LENDER}' and seq = 2;
      delete from audit_entries where chain = '${LAW_FIRM}' and seq = 1`)
    const { code, output } = await typed('audit verify')
    assert.match(output, new RegExp(`^- Chain ${LENDER}: entry 2 was altered`, 'm'))
    assert.match(output, new RegExp(`^- Chain ${LAW_FIRM}: entry 1 is missing\\.$`, 'm'))
    assert.match(output, /^The audit is NOT whole/m)
    assert.equal(code, 1)
  })
})

describe('what an operator does', () => {
  it('is recorded at the time of the business clock', async () => {
    await service.query('update service_state set clock_offset_ms = clock_offset_ms + 86400000')
    await done('subscriber add --name Tomorrow --kind lender')
    const late = `select from subscribers where name = 'Tomorrow' and created_at > now() + interval '23 hours'`
    assert.equal((await service.query(late)).length, 1)
  })
})

const typed = (command: string, env: Record<string, string> = {}): Promise<Outcome> =>
  runCommand(command, { DATA_DIR: service.dataDir, ...env })

const lodgeway = (command: string): Promise<Outcome> => commandHere(command, { DATA_DIR: service.dataDir })

async function done(command: string): Promise<string> {
  const { code, output, errors } = await lodgeway(command)
  assert.equal(code, 0, errors)
  return output
}

const deadJobs = async (): Promise<number> =>
  (await service.query(`select from pgboss.job where name = 'dead' and state = 'created'`)).length

const secretIn = (output: string): string => /^secret +(\S+)$/m.exec(output)?.[1] ?? assert.fail(output)

const isLetIn = async (clientId: string, secret: string): Promise<boolean> =>
  (await askForToken(clientId, secret)).status === 200 // else 401, and 429 after many tries in a minute

async function askForToken(clientId: string, secret: string): Promise<{ status: number; token: string | undefined }> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })
  const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', body })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  return { status: response.status, token }
}
