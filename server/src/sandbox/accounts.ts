import type { SubscriberKind } from '../auth/store.ts'

/** An account of the sandbox. Its ids are fixed, so that documentation and tests can use them. */
export type Account = {
  clientId: string
  secret: string
  subscriberId: string
  name: string
  kind: SubscriberKind
  reports: boolean
}

const account = (
  client: string,
  kind: SubscriberKind,
  subscriberId: string,
  name: string,
  { reports = true } = {},
): Account => ({ clientId: client, secret: `${client}-secret`, subscriberId, name, kind, reports })

export const ACCOUNTS: readonly Account[] = [
  account('sandbox-lender', 'LENDER', '10000000-0000-4000-8000-000000000001', 'Northgate Building Society'),
  account('sandbox-other-lender', 'LENDER', '10000000-0000-4000-8000-000000000002', 'Eastmoor Bank plc'),
  account('sandbox-new-lender', 'LENDER', '10000000-0000-4000-8000-000000000003', 'Fenwick Mutual', {
    reports: false,
  }),
  account('sandbox-law-firm', 'LAW_FIRM', '20000000-0000-4000-8000-000000000001', 'Harbour Conveyancing LLP'),
  account('sandbox-other-firm', 'LAW_FIRM', '20000000-0000-4000-8000-000000000002', 'Quayside Law Ltd'),
]
