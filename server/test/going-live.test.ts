import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { readConfig } from '../src/config.ts'
import { startService } from '../src/service.ts'
import { emptyDatabase } from './fixtures/database.ts'
import { eventually } from './fixtures/eventually.ts'
import { standIn } from './fixtures/gateway.ts'
import { BASE_ENV } from './fixtures/process.ts'
import { callerOf } from './fixtures/service.ts'
import { aBorrower, aCreation, CASES, CREATE } from './fixtures/workspaces.ts'
import { examplesOf, outputsOf, programOf, readPage } from './guide/page.ts'
import { checkShown } from './guide/shown.ts'

// An operator with an empty database pastes docs/going-live.md, and starts the service. Only the addresses differ.

const ROOT = resolve(import.meta.dirname, '../..')
const PAGE = 'docs/going-live.md'

it('an empty database becomes a platform that searches its first title at the registry', async (t) => {
  const [database, { gateway, env: registry, close }] = await Promise.all([emptyDatabase(), standIn()])
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-live-'))
  t.after(async () => {
    await Promise.all([close(), rm(folder, { recursive: true })])
    await database.drop()
  })
  await mkdir(join(folder, 'secrets'))
  const secrets = {
    password: gateway.accounts[0]?.password,
    'client.pem': gateway.clientCert,
    'client.key': gateway.clientKey,
  }
  for (const [name, content] of Object.entries(secrets)) await writeFile(join(folder, 'secrets', name), content ?? '')
  const written = (await readFile(join(ROOT, PAGE), 'utf8'))
    .replace(/postgres:\/\/lodgeway:\S+/, database.url)
    .replace(/postgres:\/\/lodgeway_owner:\S+/, database.ownerUrl)
  const page = readPage(PAGE, written)

  const settings = { ...registry, ...BASE_ENV, DATA_DIR: folder, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' }
  const npx = `npx() { shift; "${process.execPath}" "${ROOT}/server/src/main.ts" "$@"; }`
  const script = `${npx}; ${programOf(page, 'sh')}\nprintf '%s\\n' "$SECRET_PEPPER" "$SIGNING_KEYS" "$FIRM"`
  await writeFile(join(folder, 'pasted.sh'), script)
  const bash = spawn('bash', ['-c', 'exec bash -euo pipefail pasted.sh 2>&1'], { cwd: folder, env: settings })
  const [output, [code]] = await Promise.all([text(bash.stdout), once(bash, 'close')])
  assert.equal(code, 0, output)
  const printed = outputsOf(output)
  for (const { block, shown } of examplesOf(page, 'sh')) if (shown) checkShown(shown, printed.get(block.line) ?? '')

  const [pepper = '', keys = '', firmId = ''] = printed.get(0)?.trim().split('\n') ?? []
  const [lender, firm] = [...output.matchAll(/^client id +(\S+)\nsecret +(\S+)/gm)].map(([, id = '', secret = '']) => ({
    id,
    secret,
  }))
  assert.ok(lender && firm, output)
  const live = { ...settings, DATABASE_URL: database.url, SECRET_PEPPER: pepper, SIGNING_KEYS: keys }
  const chosen = { REGISTRY: 'hmlr', PAYMENTS: 'manual', PUBLIC_URL: 'https://api.example.org', HOST: '127.0.0.1' }
  const config = readConfig({ ...live, ...chosen }, { sandbox: false, part: 'serve' })
  const service = await startService(config, { http: true, worker: true })
  t.after(service.stop)
  const ready = (await (await fetch(`${service.adminUrl}/readyz`)).json()) as object
  assert.partialDeepStrictEqual(ready, { status: 'ready', adapters: { registry: 'hmlr', payments: 'manual' } })

  const { call, tokenOf } = callerOf(service.url)
  await Promise.all([lender, firm].map(({ id, secret }) => tokenOf(id, secret)))
  const people = ['William', 'Tracey'].map((forenames) => aBorrower(forenames, 'Prynne', firmId))
  const json = aCreation({ titleNumber: 'ST500678', parties: people })
  const { body: created } = await call<{ workspaceId: string }>('POST', CREATE, { as: lender.id, json })
  const recordOf = async () => {
    const { body } = await call<{ records: { lastTitleSearchStatus: string }[] }>(
      'GET',
      `${CASES}?workspace_id=${created.workspaceId}`,
      { as: firm.id },
    )
    return body.records[0]?.lastTitleSearchStatus
  }
  await eventually(async () => (await recordOf()) === 'SUCCESS', 60_000)
})
