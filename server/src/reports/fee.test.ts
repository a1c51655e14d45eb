import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { BANDS_UP_TO_PENCE, feeOf, hasTransfer } from '../lodgement/fees.ts'
import { APPLICATION_TYPES, type ApplicationType } from '../lodgement/rules.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { CONSIDERATION_TYPES, type TransferTerms, VALUE_BANDS } from '../registry/lodgement.ts'
import { CASE_FEE } from './fee.ts'

let database: TestDatabase
let db: Db
before(async () => {
  database = await testDatabase()
  db = openDb({ url: database.ownerUrl, poolSize: 2 })
})
after(async () => {
  await db.close()
  await database.drop()
})

type Application = Pick<TransferTerms, 'considerationType' | 'transactionValueBand'> & {
  applicationType: ApplicationType
  status: string
  transactionValuePence?: number
}

const anApplication: fc.Arbitrary<Application> = fc.record(
  {
    applicationType: fc.constantFrom(...APPLICATION_TYPES),
    status: fc.constantFrom('DRAFT', 'APPROVED', 'REGISTERED', 'WITHDRAWN'),
    transactionValuePence: fc.oneof(
      fc.constantFrom(0, 99_999_999_999_999, ...BANDS_UP_TO_PENCE.flatMap((upTo) => [upTo - 1, upTo, upTo + 1])),
      fc.integer({ min: 0, max: 200_000_000 }),
    ),
    considerationType: fc.constantFrom(...CONSIDERATION_TYPES),
    transactionValueBand: fc.constantFrom(...VALUE_BANDS),
  },
  { requiredKeys: ['applicationType', 'status'] },
)

/** The sum of the fees that the interface shows, null while one of them is unknown. */
function added(applications: readonly Application[]): number | null {
  const lodged = applications.filter(({ status }) => status !== 'WITHDRAWN')
  const fees = lodged.map((one) => feeOf(one, { hasTransfer: hasTransfer(applications) }))
  return fees.length === 0 || fees.includes(undefined) ? null : fees.reduce<number>((sum, fee) => sum + (fee ?? 0), 0)
}

async function queried(cases: readonly (readonly Application[])[]): Promise<(number | null)[]> {
  const ids = cases.map(() => randomUUID())
  const rows = cases.flatMap((applications, at) => applications.map((one) => ({ ...one, id: ids[at] })))
  await db.transaction(async (tx) => {
    tx.send("set local session_replication_role = 'replica'")
    tx.send(
      `insert into lodgement_applications (application_id, lodgement_case_id, application_type, status,
         transaction_value_pence, consideration_type, transaction_value_band, created_at, created_by, last_modified_at, last_modified_by)
       select gen_random_uuid(), id, type, status, value, consideration, band, now(), '', now(), ''
         from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
           as one(id, type, status, value, consideration, band)`,
      [
        rows.map(({ id }) => id),
        rows.map(({ applicationType }) => applicationType),
        rows.map(({ status }) => status),
        rows.map(({ transactionValuePence }) => transactionValuePence ?? null),
        rows.map(({ considerationType }) => considerationType ?? null),
        rows.map(({ transactionValueBand }) => transactionValueBand ?? null),
      ],
    )
  })
  const fees = await db.query<{ pence: string | null }>(
    `select fee.pence from unnest($1::uuid[]) with ordinality as c(lodgement_case_id, position)
      cross join lateral (${CASE_FEE}) fee order by position`,
    [ids],
  )
  return fees.map(({ pence }) => (pence === null ? null : Number(pence)))
}

describe('the fee of a case in a report', () => {
  it('is the sum of the fees that the interface shows, for any case', async () => {
    const cases = fc.sample(fc.array(anApplication, { maxLength: 6 }), 500)
    assert.deepEqual(await queried(cases), cases.map(added))
  })

  it('is empty while the value of the charge is not known', async () => {
    assert.deepEqual(await queried([[{ applicationType: 'MORTGAGE_DEED', status: 'DRAFT' }]]), [null])
  })
})
