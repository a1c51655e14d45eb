import { PARTNER_PATH } from '../workspaces/path.ts'
import { ACCOUNTS } from './accounts.ts'

/** What the sandbox prints when it is ready: its addresses, its clients, and a first request to paste. */
export function welcome({ url, adminUrl, dataDir }: { url: string; adminUrl: string; dataDir: string }): string {
  const clients = ACCOUNTS.map(({ clientId, secret, name }) => `  ${clientId.padEnd(22)}${secret.padEnd(30)}${name}`)
  return `
Lodgeway sandbox

  service     ${url}
  reference   ${url}/docs
  metrics     ${adminUrl}/metrics
  data        ${dataDir}

  ${'client id'.padEnd(22)}${'secret'.padEnd(30)}subscriber
${clients.join('\n')}

Try it:

  ${firstCall(url)}

Stop with Ctrl-C. All data is still there at the next start.
`
}

/** A token and a report in one line, with nothing but curl and sed. */
export const firstCall = (url: string): string => {
  const token = `curl -s -u sandbox-lender:sandbox-lender-secret -d grant_type=client_credentials ${url}/oauth/token`
  const report = `${url}${PARTNER_PATH}/reports/report-workspacesummary-todate/content`
  return `curl -i -H "Authorization: Bearer $(${token} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')" ${report}`
}
