// Long because one stand-in, one account and one kind of case serve all of it.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Effect } from '../../test/fakes/business-gateway/control.ts'
import type { Gateway } from '../../test/fakes/business-gateway/gateway.ts'
import { testDatabase } from '../../test/fixtures/database.ts'
import { accountAt, standIn } from '../../test/fixtures/gateway.ts'
import { A_DEED, aLodgement, named } from '../../test/fixtures/registry.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import type { RegistryDocument } from '../registry/documents.ts'
import type { LodgedDocument, Lodgement } from '../registry/lodgement.ts'
import type { Documents, Registry, RegistryCall } from '../registry/port.ts'
import type { Individual as PersonName } from '../workspaces/names.ts'
import { openHmlr } from './adapter.ts'
import { checkAccount, failureOf, openGateway } from './gateway.ts'
import { readSettings, type Settings } from './settings.ts'
import type { Account } from './shapes.ts'
import { endPart, findAccount, listDoubts, saveAccount, saveLender } from './store.ts'

// The adapter against the stand-in of the gateway, over real TLS.

const DAY_MS = 86_400_000
const START = new Date('2026-06-01T09:00:00Z')
const FIRM = randomUUID()
const LENDER = randomUUID()
const log = pino({ enabled: false })
const vault = openVault('p'.repeat(32))

let now = START
let gateway: Gateway
let registry: Registry
let db: Db
let owner: Db
let settings: Settings
let account: Account
const closing: (() => unknown)[] = []

before(async () => {
  const database = await testDatabase()
  db = openDb({ url: database.url })
  owner = openDb({ url: database.ownerUrl, poolSize: 1 })
  const started = await standIn({ now: () => now })
  gateway = started.gateway
  closing.push(started.close, db.close, owner.close, database.drop)
  settings = readSettings(started.env, [])
  registry = openHmlr({ db, vault, log }, settings)
  await addSubscriber(FIRM, 'Harbour Conveyancing LLP', 'LAW_FIRM')
  await addSubscriber(LENDER, 'Northgate Building Society', 'LENDER')
  await saveLender(db, LENDER, { kind: 'UK_COMPANY', companyNumber: '00445566' })
  account = accountAt(gateway, FIRM, START)
  await saveAccount(db, vault, account)
})
after(async () => {
  for (const close of closing) await close()
})
afterEach(async () => {
  gateway.control.behave()
  now = START
})

const addSubscriber = (id: string, name: string, kind: string) =>
  db.query(
    `insert into subscribers (subscriber_id, name, kind, status, created_at) values ($1, $2, $3, 'ACTIVE', now())`,
    [id, name, kind],
  )

const contents = new Map<string, Buffer>()
let references = 0

/** A call of a matter of its own, with a message id of its own. */
function aCall(facts: Partial<RegistryCall> = {}): RegistryCall & Documents {
  return {
    now,
    firstAskedAt: now,
    messageId: randomUUID(),
    correlationId: 'c-1',
    lawFirmId: FIRM,
    customerReference: `LW${++references}`,
    open: async (sha256) => {
      const bytes = contents.get(sha256) ?? assert.fail('no such document')
      return { size: bytes.length, stream: Readable.from([bytes]) }
    },
    ...facts,
  }
}

const later = (call: RegistryCall & Documents, days: number) => {
  now = new Date(START.getTime() + days * DAY_MS)
  return { ...call, now }
}

function aDocument(documentType: string): LodgedDocument {
  const bytes = Buffer.from(`%PDF-1.7 ${documentType} ${randomUUID()}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  contents.set(sha256, bytes)
  return {
    fileId: randomUUID(),
    fileName: 'deed.pdf',
    documentType,
    documentCategory: 'APPLICATION_DOCUMENT',
    certificationType: 'ORIGINAL',
    sha256,
    size: bytes.length,
  }
}

/** The registered proprietors, who borrow. */
const OWNERS: Readonly<Record<string, PersonName[]>> = {
  VF100001: [named('Joan', 'Hill')],
  SE100001: [named('Omar', 'Aziz')],
  RQ100001: [named('Grace', 'Okafor')],
  CX100001: [named('Peter', 'Lang')],
}
const PRYNNES = [named('William', 'Prynne'), named('Tracey', 'Prynne')]

function aCase({ customerReference }: RegistryCall, titleNumber = 'ST500678'): Lodgement {
  const representation = { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM', firm: 'Harbour Conveyancing LLP' } as const
  const owners = OWNERS[titleNumber] ?? PRYNNES
  const lodgement = aLodgement({
    titleNumber,
    customerReference,
    completedOn: '2026-05-29',
    disclosableOverridingInterests: false,
    parties: owners.map((name) => ({ role: 'BORROWER', name, representation })),
    applications: [
      ...(owners === PRYNNES ? [{ type: 'DISCHARGE' as const }] : []),
      { ...A_DEED, documents: [aDocument('MORTGAGE_DEED')] },
    ],
  })
  const applications = lodgement.applications.map((one) => {
    const feePence = one.type === 'MORTGAGE_DEED' ? 45_00 : 0
    return { ...one, applicationId: randomUUID(), feePence }
  })
  return { ...lodgement, applications }
}

const lodgedAs = ({ customerReference }: RegistryCall) =>
  gateway.applications().filter(({ data }) => data.customer_reference === customerReference)

const kindsOf = async (call: RegistryCall & Documents, days: number) =>
  (await registry.notices(later(call, days))).notices.map(({ kind }) => kind)

async function bytesOf(document: RegistryDocument, call: RegistryCall): Promise<Buffer> {
  const opened = await registry.openDocument?.(document, call)
  return opened?.kind === 'opened' ? buffer(opened.stream) : assert.fail(opened?.kind)
}

describe('a title search', () => {
  it('finds a register with its own entries, and pays for it once', async () => {
    const call = aCall()
    const found = await registry.searchTitle('ST500678', call)
    assert.ok(found.kind === 'found')
    assert.deepEqual(
      found.register.proprietors.map((one) => one.type === 'INDIVIDUAL' && one.forenames),
      ['William', 'Tracey'],
    )
    assert.equal(found.register.charges.length, 1)
    assert.ok(found.register.entries?.A.length)
    const asked = gateway.control.requests.length
    assert.deepEqual(await registry.searchTitle('ST500678', call), found)
    assert.equal(gateway.control.requests.length, asked)
  })

  for (const format of ['PDF', 'ZIP'] as const) {
    it(`names the official copy that came as a ${format}, and opens it from what was kept`, async () => {
      gateway.control.attachment = format
      const call = aCall()
      const found = await registry.searchTitle('ST500678', call)
      const [document, ...more] = (found.kind === 'found' && found.documents) || []
      assert.ok(document && !more.length)
      assert.match(document.name, /^ST500678.register\.pdf$/)
      assert.match((await bytesOf(document, call)).toString('latin1'), /^%PDF.*OFFICIAL COPY OF REGISTER.*%%EOF\s*$/s)
    })
  }

  for (const [titleNumber, reason] of [
    ['NF100001', 'NOT_FOUND'],
    ['DT501578', 'CLOSED'],
    ['GR514443', 'PENDING_NEW_TITLE'],
    ['RT100001', 'NOT_SUPPORTED'],
  ] as const) {
    it(`of ${titleNumber} fails: ${reason}`, async () => {
      assert.deepEqual(await registry.searchTitle(titleNumber, aCall()), { kind: 'failed', reason })
    })
  }

  it('waits until the time that the gateway names, and asks for the result then', async () => {
    const call = aCall()
    const outcome = await registry.searchTitle('SL100001', call)
    assert.ok(outcome.kind === 'later' && outcome.askAgainAt > now, outcome.kind)
    assert.equal((await registry.searchTitle('SL100001', later(call, 0.1))).kind, 'found')
  })
})

describe('a gateway that cannot be asked', () => {
  const passed = { firstAskedAt: new Date(START.getTime() - 20 * 60_000) }
  const failing = (effect: Effect) => () => gateway.control.fail({ effect })
  for (const [what, begin, minutes] of [
    ['drops the connection', failing({ kind: 'drop', when: 'before' }), 20],
    ['cuts its answer', failing({ kind: 'cut' }), 20],
    ['sends something else', failing({ kind: 'garble' }), 20],
    ['fails', failing({ kind: 'error', when: 'before', status: 503 }), 20],
    ['fails for two hours', failing({ kind: 'error', when: 'before', status: 503, retryAfterSeconds: 7_200 }), 120],
    ['limits the rate', () => gateway.control.limit(0, 60), 20],
    ['limits the rate for two hours', () => gateway.control.limit(0, 7_200), 120],
  ] as const) {
    it(`is asked again after pauses that grow, or when it says so: it ${what}`, async () => {
      begin()
      const outcome = await registry.searchTitle('ST500678', aCall(passed))
      const askAgainAt = new Date(START.getTime() + minutes * 60_000)
      assert.deepEqual(outcome, { kind: 'later', askAgainAt, because: 'REGISTRY_UNAVAILABLE' })
    })
  }

  for (const [code, because, effect] of [
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'ACCOUNT_REFUSED', 'none'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'ACCOUNT_REFUSED', 'none'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'REGISTRY_UNAVAILABLE', 'unknown'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'REGISTRY_UNAVAILABLE', 'none'],
    ['ECONNREFUSED', 'REGISTRY_UNAVAILABLE', 'none'],
    ['ECONNRESET', 'REGISTRY_UNAVAILABLE', 'unknown'],
  ] as const) {
    it(`is understood: ${code} is ${because}`, () => {
      const failure = failureOf({ code })
      assert.deepEqual([failure.because, failure.effect], [because, effect])
    })
  }

  it('is not waited for longer than a limit', async (t) => {
    gateway.control.fail({ effect: { kind: 'delay', ms: 2_000 } })
    const hasty = openGateway(settings, { answerMsMax: 50 })
    t.after(hasty.close)
    const asked = hasty.rest(account, 'GET', '/v1/notifications')
    await assert.rejects(asked, { name: 'Unavailable', effect: 'unknown', message: /it took too long/ })
  })
})

describe('an account', () => {
  it('is stored with its secrets encrypted', async () => {
    assert.deepEqual(await findAccount(db, vault, FIRM), account)
    const [row] = await db.query<{ secrets: Buffer }>('select secrets from hmlr_accounts')
    assert.ok(!row?.secrets.includes(account.password))
  })

  it('is accepted, or it is said why not', async () => {
    const stranger = await gateway.issueStranger()
    const { cert: certificate, key } = stranger
    const caFile = `${settings.caFile}.other`
    await writeFile(caFile, stranger.ca)
    const reports = async (facts: Partial<Account>, more: Partial<Settings> = {}) => {
      const { because, message } = (await checkAccount({ ...settings, ...more }, { ...account, ...facts })) ?? {}
      return `${because}: ${message}`
    }
    const ended = { certificateEndsAt: new Date('2026-02-03T00:00:00Z') }
    assert.equal(await checkAccount(settings, account), undefined)
    assert.match(await reports({ password: 'wrong' }), /^ACCOUNT_REFUSED: .* refused the account BGUser001/)
    assert.match(await reports(ended), /^ACCOUNT_REFUSED: .* ended on 2026-02-03/)
    assert.match(await reports({ certificate, key }), /does not accept the certificate of the account/)
    assert.match(await reports({}, { caFile }), /^REGISTRY_UNAVAILABLE: .* check HMLR_CA_FILE/)
  })
})

describe('a lodgement', () => {
  it('is accepted and completed, with a new copy of the register', async () => {
    const call = aCall()
    const lodgement = aCase(call)
    assert.deepEqual(await registry.lodge(lodgement, call), { kind: 'received' })
    assert.deepEqual(await kindsOf(call, 0), [])
    assert.deepEqual(await kindsOf(call, 1.1), ['accepted'])
    const { notices, askAgainAt } = await registry.notices(later(call, 10))
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['accepted', 'completed'],
    )
    assert.equal(askAgainAt, undefined)
    assert.partialDeepStrictEqual(notices[1], { early: false, copy: { register: { titleNumber: 'ST500678' } } })
  })

  it('is lodged once, though answers are lost and it is sent at once from two nodes', async () => {
    const call = aCall()
    const lodgement = aCase(call)
    const end = gateway.control.fail({ path: /applications$/, times: 1, effect: { kind: 'drop', when: 'after' } })
    assert.equal((await registry.lodge(lodgement, call)).kind, 'later')
    end()
    const outcomes = await Promise.all([registry.lodge(lodgement, call), registry.lodge(lodgement, call)])
    assert.deepEqual(outcomes, [{ kind: 'received' }, { kind: 'received' }])
    assert.equal(lodgedAs(call).length, 1)
  })

  it('is found by its notifications where the gateway refuses a repeated key', async (t) => {
    const { gateway: other, env, close } = await standIn({ now: () => now, repeatedKey: 'conflict' })
    t.after(close)
    const there = openHmlr({ db, vault, log }, readSettings(env, []))
    const call = aCall({ lawFirmId: randomUUID() })
    await addSubscriber(call.lawFirmId, 'A third firm', 'LAW_FIRM')
    await saveAccount(db, vault, accountAt(other, call.lawFirmId, START))
    const lodgement = aCase(call)
    other.control.fail({ path: /applications$/, times: 1, effect: { kind: 'drop', when: 'after' } })
    assert.equal((await there.lodge(lodgement, call)).kind, 'later')
    assert.equal((await there.lodge(lodgement, call)).kind, 'later', 'nothing was notified yet')
    assert.equal((await there.lodge(lodgement, later(call, 1.1))).kind, 'received')
    assert.deepEqual(
      (await there.notices(later(call, 1.2))).notices.map(({ kind }) => kind),
      ['accepted'],
    )
    assert.equal(other.applications().length, 1)
  })

  it('is lodged once, and its notices come again, though the database was restored to a time before it', async () => {
    const call = aCall()
    const lodgement = aCase(call)
    await registry.lodge(lodgement, call)
    assert.deepEqual(await kindsOf(call, 1.1), ['accepted'])
    for (const table of ['hmlr_notifications', 'hmlr_uploads', 'hmlr_submissions'])
      await owner.query(`truncate ${table}`)
    const restored = openHmlr({ db, vault, log }, settings)
    assert.deepEqual(await restored.lodge(lodgement, later(call, 1.2)), { kind: 'received' })
    const { notices } = await restored.notices(later(call, 10))
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['accepted', 'completed'],
    )
    assert.equal(lodgedAs(call).length, 1)
    assert.equal(
      (await db.query('select from hmlr_notifications')).length,
      2,
      'also the one that was acknowledged before',
    )
  })

  it('uploads each document once, byte for byte', async () => {
    const call = aCall()
    const lodgement = aCase(call)
    const end = gateway.control.fail({ path: /applications$/, times: 1, effect: { kind: 'drop', when: 'before' } })
    await registry.lodge(lodgement, call)
    end()
    await registry.lodge(lodgement, call)
    const [deed] = lodgement.applications.flatMap(({ documents }) => documents)
    const bytes = contents.get(deed?.sha256 ?? '') ?? assert.fail('no deed')
    const uploaded = gateway.uploads().filter((one) => one.bytes?.equals(bytes))
    assert.equal(uploaded.length, 1)
  })

  it('that cannot be sent is refused with our field, and nothing is lodged', async () => {
    const call = aCall()
    const { disclosableOverridingInterests: _, ...lodgement } = aCase(call)
    assert.deepEqual(await registry.lodge(lodgement, call), { kind: 'received' })
    const { notices, askAgainAt } = await registry.notices(call)
    assert.partialDeepStrictEqual(notices, [
      { kind: 'validation failed', faults: [{ field: 'disclosableOverridingInterests' }] },
    ])
    assert.deepEqual([askAgainAt, lodgedAs(call).length], [undefined, 0])
  })

  it('that the registry refuses is refused in its words', async () => {
    const call = aCall()
    await registry.lodge(aCase(call, 'VF100001'), call)
    const { notices } = await registry.notices(later(call, 2))
    assert.partialDeepStrictEqual(notices, [
      { kind: 'validation failed', faults: [{ field: 'mortgageDeedReference' }] },
    ])
  })

  it('is sent again under another key after a system error of the registry', async () => {
    const call = aCall()
    await registry.lodge(aCase(call, 'SE100001'), call)
    for (const days of [1, 2, 3, 4]) await registry.notices(later(call, days))
    assert.equal(lodgedAs(call).length, 3)
  })

  it('completes early, and the discharge is found later', async () => {
    const call = aCall()
    await registry.lodge(aCase(call, 'ST500679'), call)
    const { notices, askAgainAt } = await registry.notices(later(call, 10))
    assert.partialDeepStrictEqual(notices[1], { kind: 'completed', early: true })
    assert.ok(askAgainAt)
    assert.deepEqual(await kindsOf(call, 60), ['accepted', 'completed', 'discharged'])
  })

  it('of a discharge alone is discharged when it is completed', async () => {
    const call = aCall()
    const lodgement = aCase(call)
    const [discharge = assert.fail('no discharge')] = lodgement.applications
    const applications = [{ ...discharge, documents: [aDocument('EVIDENCE')] }]
    await registry.lodge({ ...lodgement, applications }, call)
    assert.deepEqual(await kindsOf(call, 10), ['accepted', 'discharged'])
  })

  it('is requisitioned, answered once, and completed', async () => {
    const call = aCall()
    await registry.lodge(aCase(call, 'RQ100001'), call)
    const { notices } = await registry.notices(later(call, 4))
    const asked = notices.find((one) => one.kind === 'requisitioned') ?? assert.fail('no requisition')
    const answer = { registryId: asked.registryId, message: 'Here it is.', documents: [aDocument('EVIDENCE')] }
    const end = gateway.control.fail({ path: /messages$/, times: 1, effect: { kind: 'drop', when: 'after' } })
    assert.equal((await registry.reply(answer, later(call, 5))).kind, 'later')
    end()
    assert.deepEqual(await registry.reply(answer, later(call, 5.5)), { kind: 'received' })
    assert.deepEqual(await kindsOf(call, 20), ['accepted', 'requisitioned', 'answer accepted', 'completed'])
    const sent = gateway.control.requests.filter(({ path }) => path.endsWith('/messages'))
    assert.equal(sent.length, 1)
    assert.deepEqual(await registry.reply({ ...answer, registryId: 'another' }, later(call, 21)), {
      kind: 'no longer pending',
    })
  })

  for (const [verdict, at, sent] of [
    ['released', START, 0],
    ['sent again', null, 1],
  ] as const) {
    it(`whose answer is in doubt goes on when it is ${verdict}`, async () => {
      const call = aCall()
      await registry.lodge(aCase(call, 'RQ100001'), call)
      const { notices } = await registry.notices(later(call, 4))
      const asked = notices.find((one) => one.kind === 'requisitioned') ?? assert.fail('no requisition')
      const answer = { registryId: asked.registryId, message: 'Here it is.', documents: [] }
      const end = gateway.control.fail({ path: /messages$/, effect: { kind: 'drop', when: 'before' } })
      assert.equal((await registry.reply(answer, later(call, 5))).kind, 'later')
      end()
      assert.equal((await registry.reply(answer, later(call, 6))).kind, 'later', 'no notification says that it arrived')
      const [doubt = assert.fail('none is in doubt')] = (await listDoubts(db)).filter(
        ({ messageId }) => messageId === call.messageId,
      )
      assert.deepEqual([doubt.part, doubt.customerReference], ['message', call.customerReference])
      await endPart(db, { ...doubt, at })
      assert.equal((await registry.reply(answer, later(call, 7))).kind, 'received')
      assert.equal(lodgedAs(call)[0]?.replies.length, sent)
    })
  }

  it('brings letters and completion documents, byte for byte, after downloads that failed', async () => {
    const call = aCall()
    await registry.lodge(aCase(call, 'ST500679'), call)
    const { notices } = await registry.notices(later(call, 60))
    const documents = notices.flatMap((one) => one.documents ?? [])
    assert.deepEqual(
      documents.map(({ kind }) => kind),
      ['LETTER', 'COMPLETION_SHEET', 'REGISTER_COPY', 'REGISTER_COPY', 'REGISTER_COPY'],
      'two of them are attachments of extracts',
    )
    const [letter = assert.fail('no letter')] = documents
    const end = gateway.control.fail({ path: /^\/download/, effect: { kind: 'cut' } })
    await assert.rejects(bytesOf(letter, later(call, 60)))
    end()
    for (const [path, effect] of [
      [/v1\/documents/, { kind: 'drop', when: 'after' }],
      [/^\/download/, { kind: 'drop', when: 'after' }],
      [/^\/download/, { kind: 'error', when: 'after', status: 403 }],
    ] as const) {
      gateway.control.fail({ path, times: 1, effect })
      assert.equal((await registry.openDocument?.(letter, later(call, 60)))?.kind, 'later')
    }
    const downloads = gateway.downloads()
    for (const one of documents.slice(0, 3)) {
      const { bytes } = downloads.find(({ id }) => id === one.documentId) ?? assert.fail('no such document')
      assert.deepEqual(await bytesOf(one, later(call, 60)), bytes)
    }
    const unknown = await registry.openDocument?.({ ...letter, documentId: 'gone' }, later(call, 60))
    assert.equal(unknown?.kind, 'later')
  })

  it('is cancelled by the registry', async () => {
    const call = aCall()
    await registry.lodge(aCase(call, 'CX100001'), call)
    const { notices, askAgainAt } = await registry.notices(later(call, 5))
    assert.equal(notices.at(-1)?.kind, 'cancelled')
    assert.equal(askAgainAt, undefined)
  })

  it('tells each notice once, though notifications are repeated, reordered and their answers lost', async () => {
    gateway.control.notifications = { repeatEvery: 2, isReordered: true }
    gateway.control.fail({ path: /notifications/, every: 3, effect: { kind: 'drop', when: 'after' } })
    const call = aCall()
    await registry.lodge(aCase(call), call)
    const news = new Set<string>()
    for (const days of [1.1, 2, 9, 10, 11]) {
      for (const { noticeId } of (await registry.notices(later(call, days))).notices) news.add(noticeId)
    }
    assert.deepEqual([...news], ['accepted', 'completed'])
  })
})
