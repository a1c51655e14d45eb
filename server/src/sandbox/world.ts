import type { SubscriberKind } from '../auth/store.ts'

/** Who lives in the sandbox. Fixed ids, so that documentation and tests can name them. */
export type Inhabitant = {
  clientId: string
  secret: string
  subscriberId: string
  name: string
  kind: SubscriberKind
  reports: boolean
}

const inhabitant = (
  client: string,
  kind: SubscriberKind,
  subscriberId: string,
  name: string,
  { reports = true } = {},
): Inhabitant => ({ clientId: client, secret: `${client}-secret`, subscriberId, name, kind, reports })

export const INHABITANTS: readonly Inhabitant[] = [
  inhabitant('sandbox-lender', 'LENDER', '10000000-0000-4000-8000-000000000001', 'Northgate Building Society'),
  inhabitant('sandbox-other-lender', 'LENDER', '10000000-0000-4000-8000-000000000002', 'Eastmoor Bank plc'),
  inhabitant('sandbox-new-lender', 'LENDER', '10000000-0000-4000-8000-000000000003', 'Fenwick Mutual', {
    reports: false,
  }),
  inhabitant('sandbox-law-firm', 'LAW_FIRM', '20000000-0000-4000-8000-000000000001', 'Harbour Conveyancing LLP'),
  inhabitant('sandbox-other-firm', 'LAW_FIRM', '20000000-0000-4000-8000-000000000002', 'Quayside Law Ltd'),
]
