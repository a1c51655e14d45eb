import type { SubscriberKind } from '../auth/store.ts'
import type { Person, Role } from '../people/rules.ts'
import type { BankAccount } from '../settlement/rules.ts'

/** An account of the sandbox. Its ids are fixed, so that documentation and tests can use them. */
export type Account = {
  clientId: string
  secret: string
  subscriberId: string
  name: string
  kind: SubscriberKind
  reports: boolean
  /** From which a law firm pays, where it pays itself. */
  pays?: BankAccount
}

const account = (
  client: string,
  kind: SubscriberKind,
  subscriberId: string,
  name: string,
  { reports = true, ...more }: Partial<Pick<Account, 'reports' | 'pays'>> = {},
): Account => ({ clientId: client, secret: `${client}-secret`, subscriberId, name, kind, reports, ...more })

export const ACCOUNTS: readonly Account[] = [
  account('sandbox-lender', 'LENDER', '10000000-0000-4000-8000-000000000001', 'Northgate Building Society'),
  account('sandbox-other-lender', 'LENDER', '10000000-0000-4000-8000-000000000002', 'Eastmoor Bank plc'),
  account('sandbox-new-lender', 'LENDER', '10000000-0000-4000-8000-000000000003', 'Fenwick Mutual', {
    reports: false,
  }),
  account('sandbox-law-firm', 'LAW_FIRM', '20000000-0000-4000-8000-000000000001', 'Harbour Conveyancing LLP', {
    pays: { accountName: 'Harbour Conveyancing LLP Client', accountNumber: '31926819', sortCode: '110001' },
  }),
  account('sandbox-other-firm', 'LAW_FIRM', '20000000-0000-4000-8000-000000000002', 'Quayside Law Ltd'),
]

/** Somebody to be in the sandbox's console. The ids are fixed, so that documentation and tests can use them. */
export type SandboxPerson = Pick<Person, 'id' | 'name' | 'email' | 'roles'> & { clientId?: string }

const person = (id: number, name: string, host: string, roles: Role[], clientId?: string): SandboxPerson => ({
  id: `30000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@${host}.example`,
  roles,
  ...(clientId && { clientId }),
})

export const PEOPLE: readonly SandboxPerson[] = [
  person(1, 'Sam Reid', 'harbour', ['preparer'], 'sandbox-law-firm'),
  person(2, 'Jo Marsh', 'harbour', ['approver'], 'sandbox-law-firm'),
  person(3, 'Alex Moss', 'harbour', ['preparer', 'approver'], 'sandbox-law-firm'),
  person(4, 'Robin Vale', 'harbour', ['viewer', 'developer'], 'sandbox-law-firm'),
  person(5, 'Pat Lowe', 'northgate', ['preparer'], 'sandbox-lender'),
  person(6, 'Kim Adair', 'northgate', ['approver'], 'sandbox-lender'),
  person(7, 'Lee Hart', 'quayside', ['viewer'], 'sandbox-other-firm'),
  person(8, 'Toni Grant', 'lodgeway', ['operator']),
]

export const accountOf = ({ clientId }: SandboxPerson) => ACCOUNTS.find((one) => one.clientId === clientId)
