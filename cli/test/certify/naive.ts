// A client as one writes it first: no retries, and every status it does not know is a crash.

const { LODGEWAY_URL: url = '', LODGEWAY_SITUATION: situation } = process.env
const api = `${url}/partner/api/platformconnect/v1`
const credentials = {
  grant_type: 'client_credentials',
  client_id: 'sandbox-lender',
  client_secret: 'sandbox-lender-secret',
}
const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(credentials) })
const { access_token: token } = (await issued.json()) as { access_token: string }
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

if (situation === 'lost-answer') {
  const party = {
    type: 'INDIVIDUAL',
    role: 'BORROWER',
    partyDetails: { forenames: 'William', surname: 'Prynne' },
    participants: [{ id: '20000000-0000-4000-8000-000000000001', role: 'CONVEYANCER' }],
  }
  const securityAddress = { number: '12', street: 'Cothelstone Close', town: 'Taunton', postcode: 'TA1 9QH' }
  const body = JSON.stringify({ reference: 'NAIVE-1', property: { securityAddress }, parties: [party] })
  await fetch(`${api}/remortgage/workspaces`, { method: 'POST', headers, body })
} else {
  const answer = await fetch(`${api}/workspaces?limit=5`, { headers })
  const { records } = (await answer.json()) as { records: { status: string }[] }
  const known = ['CREATED', 'PREPARED', 'FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'CLOSED', 'CANCELLED']
  for (const { status } of records) if (!known.includes(status)) throw new Error(`What is ${status}?`)
}
