import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Gateway, startGateway } from '../../test/fakes/business-gateway/gateway.ts'
import { runSql, type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { commandHere } from '../../test/fixtures/process.ts'

// The command line as an operator uses it.

let database: TestDatabase
let gateway: Gateway
let folder: string
let [firm, lender] = ['', '']
before(async () => {
  ;[database, gateway, folder] = await Promise.all([
    testDatabase(),
    startGateway(),
    mkdtemp(join(tmpdir(), 'lodgeway-registry-')),
  ])
  const [account = assert.fail('no account')] = gateway.accounts
  const stranger = await gateway.issueStranger()
  const files = {
    ca: gateway.ca,
    password: `${account.password}\n`,
    cert: gateway.clientCert,
    key: gateway.clientKey,
    other: stranger.key,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  firm = idIn(await done('subscriber add --name Harbour --kind law-firm'))
  lender = idIn(await done('subscriber add --name Northgate --kind lender'))
})
after(async () => {
  await gateway.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const lodgeway = (command: string) =>
  commandHere(command, {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_PEPPER: 'p'.repeat(32),
    DATA_DIR: folder,
    HMLR_REST_URL: gateway.restUrl,
    HMLR_CA_FILE: join(folder, 'ca'),
  })

async function done(command: string): Promise<string> {
  const { code, output, errors } = await lodgeway(command)
  assert.equal(code, 0, errors)
  return output
}

const idIn = (output: string) => /subscriberId +(\S+)/.exec(output)?.[1] ?? assert.fail(output)

const setting = (facts: Record<string, string> = {}) => {
  const files = { 'password-file': 'password', certificate: 'cert', key: 'key', ...facts }
  const named = Object.entries(files).map(([option, name]) => `--${option} ${join(folder, name)}`)
  return `registry account set ${firm} --username ${gateway.accounts[0]?.username} --telephone 01632960000
    --warning-understood-by jo@harbour.example ${named.join(' ')}`.replaceAll(/\s+/g, ' ')
}

describe('lodgeway registry', () => {
  it('stores the account of a law firm, shows it without its secrets, and checks it at the gateway', async () => {
    assert.match(await done(setting()), /Next: lodgeway registry account check/)
    const shown = await done(`registry account show ${firm}`)
    assert.match(shown, /^username +BGUser001$/m)
    assert.ok(!shown.includes(gateway.accounts[0]?.password ?? assert.fail()))
    assert.equal(
      await done(`registry account check ${firm}`),
      'The gateway accepts the certificate and the credentials.\n',
    )
    const [audit] = await runSql<{ text: string }>(
      database.ownerUrl,
      `select string_agg(e::text, ' ') as text from audit_entries e where entry ->> 'action' = 'registry account set'`,
    )
    assert.match(audit?.text ?? '', /BGUser001/)
    assert.doesNotMatch(audit?.text ?? '', /landreg001|PRIVATE KEY/)
  })

  it('stores how a lender is named', async () => {
    assert.match(await done(`registry lender ${lender} --kind uk-company --number 00445566`), /UK_COMPANY 00445566/)
  })

  it('lists the parts of answers that are in doubt, and releases one or sends it again, with an audit', async () => {
    const sql = (text: string) => runSql<{ text: string }>(database.ownerUrl, text)
    assert.match(await done('registry reply list'), /No part of an answer/)
    await sql(
      `insert into hmlr_submissions (message_id, subscriber_id, title_number, customer_reference, completed_on, body)
       values ('m-1', '${firm}', 'RQ100001', 'LW1', '2026-05-29', '{}')`,
    )
    await sql(`insert into hmlr_replies select 'm-1', '2026-06-05T09:00:00.000Z', part, now() - minutes * interval '1 minute'
                 from (values ('f-1', 60), ('message', 60), ('f-2', 1)) as parts(part, minutes)`)
    const listed = await done('registry reply list')
    assert.match(listed, /^m-1 +2026-06-05T09:00:00.000Z +message .*LW1/m)
    const decide = (verb: string, part: string) => `registry reply ${verb} m-1 2026-06-05T09:00:00.000Z ${part}`
    assert.match(await done(decide('release', 'f-1')), /counts as attached/)
    assert.match(await done(decide('resend', 'message')), /sent again/)
    for (const [part, says] of [
      ['f-1', /No such part is in doubt/],
      ['f-2', /may still be under way/],
    ] as const) {
      const { code, errors } = await lodgeway(decide('release', part))
      assert.equal(code, 2)
      assert.match(errors, says)
    }
    const [rows] = await sql(
      `select string_agg(part || (begun_at is null)::text || (ended_at is null)::text, ' ' order by part) as text from hmlr_replies`,
    )
    assert.equal(rows?.text, 'f-1falsefalse f-2falsetrue messagetruetrue')
    const [audit] = await sql(
      `select string_agg(entry ->> 'action', ', ' order by seq) as text from audit_entries
        where entry ->> 'action' like 'registry answer part %'`,
    )
    assert.equal(audit?.text, 'registry answer part released, registry answer part sent again')
  })

  for (const [what, command, says] of [
    ['a key of another certificate', () => setting({ key: 'other' }), /--key is not the key of --certificate/],
    ['a file that is not there', () => setting({ certificate: 'none' }), /--certificate names .* cannot be read/],
    ['a lender as a law firm', () => `registry account show ${lender}`, /no such law firm/],
    ['no verb', () => 'registry account', /^Usage: lodgeway registry account /],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { code, errors } = await lodgeway(command())
      assert.equal(code, 2)
      assert.match(errors, says)
    })
  }
})
