import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { openHmlr } from '../../src/hmlr/adapter.ts'
import { readSettings } from '../../src/hmlr/settings.ts'
import { saveAccount, saveLender } from '../../src/hmlr/store.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { openVault } from '../../src/platform/vault.ts'
import type {
  ApplicationParticulars,
  LodgedDocument,
  LodgedParty,
  Lodgement,
  TransferTerms,
} from '../../src/registry/lodgement.ts'
import type { Answer, Inbound } from '../fakes/business-gateway/answers.ts'
import { testDatabase } from '../fixtures/database.ts'
import { accountAt, standIn } from '../fixtures/gateway.ts'
import { A_DEED, aLodgement, named } from '../fixtures/registry.ts'

export type Exchange = { inbound: Inbound; answer: Answer }

const FIRM = randomUUID()
const LENDER = randomUUID()
const HOUR_MS = 3_600_000
const START = new Date('2026-06-01T09:00:00Z')
const TITLES = [
  'ST500678',
  'AB1208',
  'DN514817',
  'SL100001',
  'NF100001',
  'DT501578',
  'GR514443',
  'RT100001',
  'GR506405',
]

/** All that the adapter sends for titles and cases of every kind, in both versions, and what the stand-in answers. */
export async function traffic(): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  let now = START
  const { gateway, env, close } = await standIn({
    now: () => now,
    watch: (inbound, answer) => exchanges.push({ inbound, answer }),
  })
  const database = await testDatabase()
  const db = openDb({ url: database.url })
  try {
    const vault = openVault('p'.repeat(32))
    await db.query(
      `insert into subscribers (subscriber_id, name, kind, status, created_at)
       values ($1, 'Harbour Conveyancing LLP', 'LAW_FIRM', 'ACTIVE', $3), ($2, 'Northgate Building Society', 'LENDER', 'ACTIVE', $3)`,
      [FIRM, LENDER, START],
    )
    await saveAccount(db, vault, accountAt(gateway, FIRM, START))
    await saveLender(db, LENDER, { kind: 'UK_COMPANY', companyNumber: '00445566' })
    for (const HMLR_SUBMISSION_VERSION of ['v1', 'v2']) {
      const settings = readSettings({ ...env, HMLR_SUBMISSION_VERSION }, [])
      const registry = openHmlr({ db, vault, log: pino({ enabled: false }) }, settings)
      for (const titleNumber of TITLES) {
        const call = aCall(START)
        await registry.searchTitle(titleNumber, call)
        now = new Date(START.getTime() + 2 * HOUR_MS)
        if (titleNumber === 'SL100001') await registry.searchTitle(titleNumber, { ...call, now })
      }
      for (const lodgement of LODGEMENTS) {
        now = START
        const call = aCall(START)
        await registry.lodge({ ...lodgement, customerReference: call.customerReference }, call)
        now = new Date(START.getTime() + 96 * HOUR_MS)
        const { notices } = await registry.notices({ ...call, now })
        const asked = notices.find((one) => one.kind === 'requisitioned')
        const answer = { message: 'Here it is.', documents: [paper('EVIDENCE')] }
        if (asked) await registry.reply({ registryId: asked.registryId, ...answer }, { ...call, now })
      }
    }
    return exchanges
  } finally {
    await Promise.all([db.close(), close()])
    await database.drop()
  }
}

const contents = new Map<string, Buffer>()
let number = 0

const aCall = (now: Date) => ({
  now,
  firstAskedAt: now,
  messageId: randomUUID(),
  correlationId: 'c',
  lawFirmId: FIRM,
  customerReference: `LW26${String(++number).padStart(7, '0')}`,
  open: async (sha256: string) => ({ size: contents.get(sha256)?.length ?? 0, stream: streamOf(sha256) }),
})

const streamOf = (sha256: string) => Readable.from([contents.get(sha256) ?? Buffer.alloc(0)])

function paper(documentType: string, facts: Partial<LodgedDocument> = {}): LodgedDocument {
  const bytes = Buffer.from(`%PDF-1.7 ${documentType} ${contents.size}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  contents.set(sha256, bytes)
  const document = { documentType, documentCategory: 'APPLICATION_DOCUMENT', certificationType: 'ORIGINAL' } as const
  return { fileId: randomUUID(), fileName: 'a.pdf', sha256, size: bytes.length, ...document, ...facts }
}

const WIDE = 'é&<“'.repeat(40).slice(0, 160)
const HOME = {
  flat: 'F'.repeat(30),
  name: 'N'.repeat(50),
  number: '1'.repeat(10),
  street: 'S'.repeat(60),
  locality: 'L'.repeat(60),
  town: 'T'.repeat(30),
  county: 'C'.repeat(60),
  postcode: 'CB7 9QZ',
}
const OURS = { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM', firm: 'Harbour Conveyancing LLP' } as const
const ELSEWHERE = {
  representedBy: 'EXTERNAL_LAW_FIRM',
  firm: WIDE,
  address: HOME,
  referenceNumber: 'R'.repeat(18),
} as const

const party = (name: LodgedParty['name'], facts: Partial<LodgedParty> = {}): LodgedParty => ({
  role: 'BORROWER',
  name,
  representation: OURS,
  ...facts,
})
const [ANN, BO, CY] = [named('Ann', 'Lee'), named('Bo', 'Lee'), named('Cÿ', `O’${'x'.repeat(48)}`)]
const MARRIED = named('Ann', 'Hart')
const DEED = { ...A_DEED, documents: [paper('MORTGAGE_DEED')] }
const registered = (position: number, name: LodgedParty['name']) => ({ position, name })

type Facts = NonNullable<Parameters<typeof aLodgement>[0]>

function ready({ applications = [DEED], ...facts }: Facts): Lodgement {
  const parties = [party(ANN, { addressForService: HOME }), party(BO, { addressForService: HOME })]
  const lodgement = aLodgement({ parties, disclosableOverridingInterests: false, applications, ...facts })
  const numbered = lodgement.applications.map((one) => ({ ...one, applicationId: randomUUID(), feePence: 45_00 }))
  return { ...lodgement, applications: numbered }
}

type Transfer = Extract<ApplicationParticulars, { type: 'TRANSFER_OF_WHOLE' }>

const transfer = (terms: TransferTerms, facts: Partial<Transfer> = {}) => ({
  type: 'TRANSFER_OF_WHOLE' as const,
  transactionValuePence: 60_000_00,
  outgoing: [registered(2, BO)],
  incoming: [CY],
  remaining: [registered(1, ANN)],
  terms: { titleGuarantee: 'FULL' as const, ...terms },
  documents: [paper('EVIDENCE')],
  ...facts,
})
const newcomer = party(CY, { role: 'INCOMING_PROPRIETOR', addressForService: HOME })
const leaver = party(BO, { role: 'OUTGOING_PROPRIETOR', position: 2, representation: ELSEWHERE })
const STAYS = [party(ANN, { position: 1, addressForService: HOME }), newcomer, leaver]
const NOBODY_STAYS = { outgoing: [registered(2, BO)], remaining: [] }

export const LODGEMENTS: readonly Lodgement[] = [
  ready({ applications: [{ type: 'DISCHARGE' }, DEED] }),
  ready({ applications: [{ type: 'DISCHARGE', documents: [paper('EVIDENCE')] }] }),
  ready({ titleNumber: 'RQ100001', parties: [party(named('Grace', 'Okafor'))] }),
  ready({ titleNumber: 'CO100001', parties: [company('Turner Holdings Limited', '02294747'), company(WIDE)] }),
  ready({
    parties: [
      party(ANN, {
        representation: { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'LAW_FIRM_CERTIFIED' },
      }),
      party(CY, { representation: { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'IDENTITY_EVIDENCE' } }),
      party(BO, { representation: ELSEWHERE }),
    ],
    applications: [
      { ...A_DEED, documents: [paper('MORTGAGE_DEED'), ...['IDENTITY_FORM', 'IDENTITY_EVIDENCE'].map(supporting)] },
    ],
  }),
  ready({
    parties: [party(MARRIED, { position: 1 }), party(BO)],
    applications: [
      {
        type: 'CHANGE_OF_NAME',
        proprietor: registered(1, ANN),
        newName: MARRIED,
        documents: ['CORRESPONDENCE', 'MARRIAGE_CERTIFICATE', 'STATEMENT_OF_TRUTH'].map((type) => paper(type)),
      },
      DEED,
    ],
  }),
  ready({
    parties: STAYS,
    applications: [
      { type: 'CANCEL_A_RESTRICTION', documents: [paper('EVIDENCE')] },
      transfer({
        considerationType: 'MONETARY_VALUE',
        trustDeclaration: 'JOINT_TENANTS',
        outstandingChargePence: 1_00,
      }),
      DEED,
    ],
  }),
  ...[
    transfer({ considerationType: 'NO_MONETARY_VALUE', trustDeclaration: 'TRUST_DETAILS', trustDetails: WIDE }),
    transfer(
      {
        considerationType: 'NO_MONETARY_VALUE',
        trustDeclaration: 'TENANTS_IN_COMMON',
        transactionValueBand: 'UP_TO_200000',
      },
      { transactionValuePence: 0 },
    ),
  ].map((one) => ready({ parties: STAYS, applications: [one, DEED] })),
  ...[
    transfer({ considerationType: 'OTHER', considerationDescription: 'A release.' }, NOBODY_STAYS),
    transfer({ considerationType: 'NO_MONETARY_VALUE' }, NOBODY_STAYS),
  ].map((one) => ready({ parties: [newcomer, leaver], applications: [one, DEED] })),
]

function company(organisationName: string, registrationNumber?: string): LodgedParty {
  return party({ type: 'ORGANISATION', organisationName, ...(registrationNumber && { registrationNumber }) })
}

function supporting(documentType: string): LodgedDocument {
  return paper(documentType, { documentCategory: 'SUPPORTING_DOCUMENT', certificationType: 'SCANNED' })
}
