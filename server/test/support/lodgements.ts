import type {
  ApplicationParticulars,
  LodgedApplication,
  LodgedDocument,
  Lodgement,
} from '../../src/registry/lodgement.ts'
import type { Individual } from '../../src/workspaces/names.ts'

// What is sent to the registry, without a workspace behind it; a test names what it is about.

export const named = (forenames: string, surname: string): Individual => ({ type: 'INDIVIDUAL', forenames, surname })

type Given = ApplicationParticulars & { documents?: LodgedDocument[] }

export const A_DEED: Given = {
  type: 'MORTGAGE_DEED',
  transactionValuePence: 206_000_00,
  deedReference: 'MD431C',
  deedReferenceType: 'PAPER',
}

/** Priorities are given in the order of the applications. */
export function aLodgement({
  applications = [A_DEED],
  ...facts
}: Partial<Omit<Lodgement, 'applications'>> & { applications?: Given[] } = {}): Lodgement {
  return {
    customerReference: 'LW260000001',
    titleNumber: 'ST500678',
    completedOn: '2026-05-01',
    lender: 'Northgate Building Society',
    lodgedBy: 'Harbour Conveyancing LLP',
    submittedBy: 'jo.marsh@harbour.example',
    parties: [],
    ...facts,
    applications: applications.map((one, index) => {
      const priority = index + 1
      return { documents: [], ...one, applicationId: `application ${priority}`, priority } as LodgedApplication
    }),
  }
}
