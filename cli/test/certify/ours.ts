import { createClient } from '../../../client/src/index.ts'

// A client that is ready: it uses the package, which renews tokens, waits and repeats.

const {
  LODGEWAY_URL: baseUrl = '',
  LODGEWAY_SITUATION: situation,
  LODGEWAY_WORKSPACE_ID: workspaceId = '',
} = process.env
const lodgeway = createClient({ baseUrl, clientId: 'sandbox-lender', clientSecret: 'sandbox-lender-secret' })

if (situation === 'lost-answer') await order()
else if (situation === 'rejected-lodgement') await lodgeway.getLodgementCases({ query: { workspace_id: workspaceId } })
else await lodgeway.listWorkspaces({ query: { limit: 5 } })

async function order() {
  const securityAddress = { number: '12', street: 'Cothelstone Close', town: 'Taunton', postcode: 'TA1 9QH' }
  await lodgeway.createRemortgageWorkspace({
    body: {
      reference: 'READY-1',
      property: { securityAddress },
      parties: [
        {
          type: 'INDIVIDUAL',
          role: 'BORROWER',
          partyDetails: { forenames: 'William', surname: 'Prynne' },
          participants: [{ id: '20000000-0000-4000-8000-000000000001', role: 'CONVEYANCER' }],
        },
      ],
    },
  })
}
