// Long because every command is tried against one service, whose start takes longer than all of them.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startReceiver } from '../../server/test/fakes/receiver.ts'
import { atEnd } from '../../server/test/fixtures/at-end.ts'
import { aPdf } from '../../server/test/fixtures/multipart.ts'
import { testService } from '../../server/test/fixtures/service.ts'
import { aBorrower, aCreation, aWorkspace, drain } from '../../server/test/fixtures/workspaces.ts'
import { docsText, readDocs } from '../docs.ts'
import { VERSION } from '../src/version.ts'
import { type Given, lodgeway as run } from './harness.ts'

// The commands against a running sandbox.

const service = await testService()
await aWorkspace(service, {
  reference: 'NBS-1018',
  titleNumber: 'ST500678',
  parties: [aBorrower('William'), aBorrower('Tracey', 'Prinne')],
})
await drain(service)
const home = await mkdtemp(join(tmpdir(), 'lodgeway-cli-'))
atEnd(() => rm(home, { recursive: true, force: true }))

const ENV = { XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, LODGEWAY_URL: service.url }

/** As it is typed; words with spaces are given as a list. */
const lodgeway = (words: string | string[], given: Given = {}) =>
  run(typeof words === 'string' ? words.split(' ').filter(Boolean) : words, { ...given, env: { ...ENV, ...given.env } })

async function json<T = Record<string, unknown>>(words: string, given?: Given): Promise<T> {
  const { code, output, errors } = await lodgeway(`${words} --json`, given)
  assert.equal(code, 0, errors)
  return JSON.parse(output) as T
}

describe('lodgeway', () => {
  it('shows its commands, its version, and help with examples for each', async () => {
    const { code, output } = await lodgeway('')
    assert.equal(code, 0)
    assert.match(output, /^For integrators:\n {2}login /m)
    assert.equal((await lodgeway('--version')).output, `${VERSION}\n`)
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    assert.equal(VERSION, version)
    for (const words of ['whoami --help', 'help call']) {
      assert.match((await lodgeway(words)).output, /^Examples:\n {2}lodgeway /m)
    }
  })

  const WRONG: [words: string, says: RegExp][] = [
    ['whoam', /^error: unknown command 'whoam'\n\(Did you mean whoami\?\)/],
    ['whoami --jsn', /unknown option '--jsn'\n\(Did you mean --json\?\)\n\(add --help/],
    ['whoami too much', /too many arguments/],
    ['call getWorkspaces', /There is no operation getWorkspaces\. Did you mean getWorkspace\?/],
    ['call getWorkspace', /getWorkspace needs:\n {2}path\.workspace_id=…/],
    ['whoami --profile nobody', /There is no profile nobody/],
  ]
  for (const [words, says] of WRONG) {
    it(`ends with 2 for a mistake: ${words}`, async () => {
      const { code, output, errors } = await lodgeway(words)
      assert.match(errors, says)
      assert.deepEqual({ code, output }, { code: 2, output: '' })
    })
  }

  it('ends with 1 when the service refuses, and says what, where, and what to read', async () => {
    const words = 'call addTitle workspace_id=00000000-0000-4000-8000-000000000000 body.titleNumber=ST500678'
    const { code, errors } = await lodgeway(words)
    assert.match(
      errors,
      /^POST \/partner\S+\/titles was answered with 404\.\n {2}workspace_id: .+\ncorrelation id: \S+\n/,
    )
    assert.ok(errors.endsWith(`guide: ${service.url}/docs/guide/errors#404\n`), errors)
    assert.equal(code, 1)
    const asJson = await lodgeway(`${words} --json`)
    assert.equal(JSON.parse(asJson.output).errors[0].field, 'workspace_id')
    const wrong = await lodgeway('whoami', { env: { LODGEWAY_CLIENT_SECRET: 'wrong' } })
    assert.match(wrong.errors, /^POST \/oauth\/token was answered with 401\.\n {2}The client id or secret is wrong/)
    assert.equal(wrong.code, 1)
  })

  it('ends with 3 when there is no service', async () => {
    const { code, errors } = await lodgeway('whoami --url http://127.0.0.1:1')
    assert.match(errors, /Does the sandbox run at http:\/\/127\.0\.0\.1:1\? `npm start` in the clone starts it\./)
    assert.equal(code, 3)
  })

  it('is coloured on a terminal, unless NO_COLOR says otherwise', async () => {
    const coloured = async (given: Given) => (await lodgeway('call', given)).output.includes('\x1b[')
    const seen = [coloured({ isTTY: true }), coloured({ isTTY: true, env: { NO_COLOR: '1' } }), coloured({})]
    assert.deepEqual(await Promise.all(seen), [true, false, false])
  })
})

describe('lodgeway login', () => {
  const typed = (secret: string) => `${service.url}/\nsandbox-other-lender\n${secret}\n`

  it('tries the credentials, keeps those that work, and uses them from then on', async () => {
    const given = { env: { LODGEWAY_URL: '' } }
    const wrong = await lodgeway('login', { ...given, input: typed('wrong') })
    assert.match(wrong.errors, /Secret \(not shown\): \nPOST \/oauth\/token was answered with 401/)
    assert.match((await lodgeway('profiles', given)).output, /^\* +sandbox-law-firm/m)
    const { code, output, errors } = await lodgeway('login --profile other', {
      ...given,
      input: typed('sandbox-other-lender-secret'),
    })
    assert.equal(code, 0, errors)
    assert.match(output, /^Logged in to http:\S+ \(a sandbox\) as sandbox-other-lender\.\nThe profile other is used/)
    assert.match((await lodgeway('whoami', given)).output, /^client +sandbox-other-lender$/m)
    await lodgeway('profiles --forget other', given)
  })
})

describe('lodgeway whoami', () => {
  it('shows who calls which service', async () => {
    const { output } = await lodgeway('whoami', { now: new Date(Date.now() + 60_000) })
    assert.match(output, /^profile +sandbox-law-firm \(built in\)\nservice +http:\S+ {2}sandbox, v1\./)
    assert.match(output, /^subscriber +Harbour Conveyancing LLP, law firm {2}20000000-\S+$/m)
    assert.match(output, /^scopes +.*\bview:workspaces\b/m)
    assert.match(output, /^clock +this machine is (59|60|61) s ahead of the service$/m)
    const facts = await json('whoami --profile sandbox-lender')
    assert.partialDeepStrictEqual(facts, { live: false, clientId: 'sandbox-lender', subscriber: { kind: 'LENDER' } })
  })
})

describe('lodgeway call', () => {
  it('calls any operation that the service describes', async () => {
    assert.match((await lodgeway('call')).output, /^listWorkspaces +GET +List the workspaces/m)
    const { records } = await json<{ records: { workspaceId: string }[] }>('call listWorkspaces query.limit=1')
    const path = `path.workspace_id=${records[0]?.workspaceId}`
    const updated = await json(`call updateWorkspace ${path} body.ownReference=0042`)
    assert.equal(updated['ownReference'], '0042')
  })

  it('takes a body from a file or a pipe, and waits for what becomes of it', async () => {
    const words = 'call createRemortgageWorkspace body=- --wait --json'
    const order = (titleNumber: string) => ({
      env: { LODGEWAY_PROFILE: 'sandbox-lender' },
      input: JSON.stringify(aCreation({ reference: 'CLI-1', titleNumber })),
    })
    const { output, errors } = await lodgeway(words, order('ST500678'))
    assert.equal(JSON.parse(output || errors).lastTitleSearchStatus, 'SUCCESS')
    const failed = await lodgeway(words, order('NF100001'))
    assert.match(failed.errors, /^The title search of workspace \S+ failed: NOT_FOUND/)
    assert.equal(failed.code, 4)
  })

  it('asks before it changes a live service', async () => {
    // A service without a sandbox's clock is live.
    const fetch: typeof globalThis.fetch = async (input, init) =>
      String(input).endsWith('/sandbox/v1/clock') ? new Response('', { status: 404 }) : globalThis.fetch(input, init)
    const words = 'call setMaintenance body.enabled=false'
    const refused = await lodgeway(words, { fetch })
    assert.match(refused.errors, /sandbox-law-firm is live: give --yes to POST \/sandbox\/v1\/maintenance\./)
    assert.equal(refused.code, 2)
    const asked = await lodgeway(words, { fetch, isTTY: true, input: 'n\n' })
    assert.ok(asked.errors.includes('\x1b[31msandbox-law-firm (live)\x1b[39m '), asked.errors)
    assert.match(asked.errors, /\? \[y\/N\] .*Nothing was done\./s)
    for (const given of [{ fetch, isTTY: true, input: 'y\n' }, { fetch }]) {
      const { code } = await lodgeway(given.isTTY ? words : `${words} --yes`, given)
      assert.equal(code, 0)
    }
  })
})

describe('lodgeway workspace', () => {
  it('list shows whose turn it is, and takes filters in either spelling', async () => {
    const { output } = await lodgeway('workspace list --turn us')
    assert.match(output, /^reference +number +property +borrowers +status +turn +for +due\n/)
    assert.match(
      output,
      /^NBS-1018 +LW\d+ +TA1 9QH +William Prynne, Tracey Prinne +being prepared +the law firm: compare/m,
    )
    assert.match((await lodgeway('workspace list --turn us --profile sandbox-lender')).errors, /No work/)
    const page = await json<{ records: object[] }>('workspace list --turn LAW_FIRM --status created --task reconcile')
    assert.ok(page.records.length > 0)
    const wrong = await lodgeway('workspace list --turn lawfirm')
    assert.match(wrong.errors, /^--turn must be one of law-firm, lender, .* Did you mean law-firm\?/)
    assert.equal(wrong.code, 2)
  })

  it('show explains why a matter does not move, whichever way it is named', async () => {
    const { output } = await lodgeway('workspace show nbs-1018')
    const [first = '', second = ''] = output.split('\n')
    assert.match(first, /^NBS-1018( \/ 0042)? {2}LW\d{9} {2}12 Cothelstone Close, Taunton, TA1 9QH {2}being prepared$/)
    assert.match(second, /^→ you: compare the names with the register.* {4}lodgeway open NBS-1018$/)
    assert.match(output, /^ {2}✗ \S+: .*\.$/m)
    assert.match(output, /^ {2}✓ \d+ rules pass$/m)
    assert.match(output, /^timeline\n( {2}… .*\n)?( {2}\d+ \w+ \d{4} \d\d:\d\d {2}.+\n)+$/m)
    const { workspace } = JSON.parse((await lodgeway('workspace show NBS-1018 --json')).output)
    for (const name of [workspace.workspaceId, workspace.workspaceReferenceId]) {
      assert.equal((await lodgeway(['workspace', 'show', name])).code, 0)
    }
    const nobody = await lodgeway('workspace show NBS-0000')
    assert.match(nobody.errors, /^No workspace has the reference NBS-0000\./)
    assert.equal(nobody.code, 1)
  })

  it('show --watch shows it again when it has changed, until Ctrl-C', async () => {
    const interrupt = new AbortController()
    const { workspaceId } = (await json<{ workspace: { workspaceId: string } }>('workspace show NBS-1018')).workspace
    const seen = { lines: 0 }
    const { code } = await lodgeway('workspace show NBS-1018 --watch --json', {
      interrupted: interrupt.signal,
      onOutput(text) {
        seen.lines = text.trim().split('\n').length
        if (seen.lines === 1) void json(`call updateWorkspace workspace_id=${workspaceId} body.ownReference=WATCHED`)
        else if (text.includes('WATCHED')) interrupt.abort()
      },
    })
    assert.deepEqual({ code, ...seen }, { code: 0, lines: 2 })
  })
})

describe('lodgeway upload', () => {
  it('sends a PDF with a bar, attaches a deed to its application, and waits for the check', async () => {
    const deed = join(home, 'deed.pdf')
    await writeFile(deed, aPdf())
    const words = ['upload', 'NBS-1018', deed, '--type', 'mortgage-deed', '--certification', 'certified']
    const { code, output, errors } = await lodgeway(words, { isTTY: true })
    assert.equal(code, 0, errors)
    assert.match(output, /^\S{36} {2}deed\.pdf is uploaded, checked and stored as MORTGAGE_DEED$/m)
    assert.match(errors, /\rdeed\.pdf █{30} 100 % of \d+ kB\n$/)
    const offer = await lodgeway(['upload', 'NBS-1018', deed, '--type', 'mortgage-offer', '--no-wait', '--json'])
    assert.match(JSON.parse(offer.output).fileId, /^\S{36}$/)
    for (const [wrong, says] of [
      [['upload', 'NBS-1018', join(home, 'none.pdf'), '--type', 'evidence'], /none\.pdf cannot be read/],
      [[...words, '--application', 'discharges'], /The case has no application discharges\. It has: .*MORTGAGE_DEED/],
      [['upload', 'NBS-1018', deed], /required option '--type <type>' not specified/],
    ] as const) {
      const refused = await lodgeway([...wrong])
      assert.match(refused.errors, says)
      assert.equal(refused.code, 2)
    }
  })
})

describe('lodgeway reports get', () => {
  it('prints a report, or saves it verified', async () => {
    assert.match((await lodgeway('reports get workspace-summary')).output, /^report_date,workspace_id,/)
    const to = join(home, 'report.csv')
    const { output } = await lodgeway(['reports', 'get', 'report-financialsummary-todate', '-o', to])
    assert.match(output, /^.*report\.csv: \d+ bytes, SHA-256 [0-9a-f]{64}\n$/)
    assert.match(await readFile(to, 'utf8'), /^report_date,/)
    assert.match((await lodgeway('reports get workspace-sumary')).errors, /Did you mean workspace-summary\?/)
    assert.equal((await lodgeway('reports get workspace-summary --date 2020-01-01')).code, 1)
  })
})

describe('lodgeway webhooks', () => {
  it('adds, lists, tests and rotates', async () => {
    const receiver = await startReceiver(({ payload }) => ({ status: 200, body: payload.data['challenge'] ?? '' }))
    atEnd(receiver.stop)
    const added = await lodgeway(['webhooks', 'add', receiver.url])
    const [, id = ''] = /^(\S{36}) {2}http:\S+ {2}\d+ types\nsecret {2}whsec_\S+\n$/.exec(added.output) ?? []
    await drain(service)
    assert.match((await lodgeway('webhooks list')).output, new RegExp(`^${id} +http:\\S+ +verified `, 'm'))
    assert.equal((await lodgeway(`webhooks test ${id}`)).output, 'Delivered: the receiver answered.\n')
    assert.match((await lodgeway(`webhooks rotate ${id}`)).output, /^secret {2}whsec_/)
    assert.match((await lodgeway('doctor')).output, /^ok +webhooks +http:/m)
  })

  it('verify says that a signature is right, or names the mistake', async () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const body = JSON.stringify({ id: 'e-1', type: 'TEST', data: {} })
    const at = String(Math.floor(Date.now() / 1000))
    const signature = `v1,${createHmac('sha256', Buffer.alloc(32, 1)).update(`m-1.${at}.${body}`).digest('base64')}`
    const head = `webhook-id: m-1\nwebhook-timestamp: ${at}\nwebhook-signature: ${signature}\n\n`
    const verify = (input: string, own = secret) => lodgeway(['webhooks', 'verify', '--secret', own], { input })
    assert.equal((await verify(head + body)).output, 'The signature is right: TEST e-1\n')
    const headers = head
      .trim()
      .split('\n')
      .flatMap((line) => ['-H', line])
    const typed = await lodgeway(['webhooks', 'verify', ...headers], {
      input: body,
      env: { LODGEWAY_WEBHOOK_SECRET: secret },
    })
    assert.equal(typed.code, 0, typed.errors)
    for (const [input, own, mistake] of [
      [`${head}${body}\n`, secret, 'body-changed'],
      [head + body, secret.slice(6), 'secret-without-prefix'],
      [body, secret, 'header-missing'],
    ] as const) {
      const { code, errors } = await verify(input, own)
      assert.ok(errors.startsWith(`${mistake}: `), errors)
      assert.equal(code, 1)
    }
  })
})

describe('lodgeway open', () => {
  it('opens a page of the console, of a matter, or the reference', async () => {
    const opened = async (words: string) => (await lodgeway(words)).browsed[0]?.replace(service.url, '')
    assert.deepEqual(await Promise.all(['open', 'open docs', 'open requests'].map(opened)), [
      '/console/',
      '/docs',
      '/console/requests',
    ])
    assert.match((await opened('open NBS-1018/names')) ?? '', /^\/console\/matters\/\S{36}\/names$/)
    assert.deepEqual((await lodgeway('open docs --print')).browsed, [])
  })
})

describe('lodgeway doctor', () => {
  it('checks the way to the service, and says how to fix what is wrong', async () => {
    const good = await lodgeway('doctor')
    assert.match(
      good.output,
      /^ok +address[\s\S]*^ok +clock[\s\S]*^ok +service[\s\S]*^ok +credentials[\s\S]*^ok +scopes[\s\S]*^ok +limits/m,
    )
    assert.equal(good.code, 0)
    const bad = await lodgeway('doctor', {
      env: { LODGEWAY_CLIENT_SECRET: 'x' },
      now: new Date(Date.now() + 3_600_000),
    })
    assert.match(bad.output, /^warning +clock +this machine is \d+ s ahead of the service\n +Let this machine follow/m)
    assert.match(bad.output, /^error +credentials +.*\n +Check the client id and the secret/m)
    assert.equal(bad.code, 1)
  })
})

describe('docs/cli.md', () => {
  it('is current: `npm run cli-docs` writes it', async () => {
    assert.equal(await readDocs(), await docsText())
  })

  it('has an example for every command', async () => {
    for (const section of (await docsText()).split('```text\n').slice(1)) assert.match(section, /^Examples:$/m, section)
  })
})
