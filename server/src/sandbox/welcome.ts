import { PARTNER_PATH } from '../workspaces/path.ts'
import { ACCOUNTS, accountOf, PEOPLE } from './accounts.ts'

/** What the sandbox prints when it is ready: its addresses, its clients, and a first request to paste. */
export function welcome({ url, adminUrl, dataDir, hasConsole }: Welcome): string {
  const clients = ACCOUNTS.map(({ clientId, secret, name }) => `  ${clientId.padEnd(22)}${secret.padEnd(30)}${name}`)
  return `
Lodgeway sandbox

  service     ${url}
${hasConsole ? `  console     ${url}/console\n` : ''}  reference   ${url}/docs
  metrics     ${adminUrl}/metrics
  data        ${dataDir}

  ${'client id'.padEnd(22)}${'secret'.padEnd(30)}subscriber
${clients.join('\n')}
${hasConsole ? people() : ''}
Try it:

  ${firstCall(url)}

Stop with Ctrl-C. All data is still there at the next start.
`
}

type Welcome = { url: string; adminUrl: string; dataDir: string; hasConsole: boolean }

const people = (): string => {
  const lines = PEOPLE.map((one) => {
    const subscriber = accountOf(one)?.name ?? 'runs the service'
    return `  ${one.name.padEnd(22)}${one.roles.join(', ').padEnd(30)}${subscriber}`
  })
  return `\n  ${'in the console'.padEnd(22)}${'roles'.padEnd(30)}subscriber\n${lines.join('\n')}\n`
}

/** A token and a report in one line, with nothing but curl and sed. */
export const firstCall = (url: string): string => {
  const token = `curl -s -u sandbox-lender:sandbox-lender-secret -d grant_type=client_credentials ${url}/oauth/token`
  const report = `${url}${PARTNER_PATH}/reports/report-workspacesummary-todate/content`
  return `curl -i -H "Authorization: Bearer $(${token} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')" ${report}`
}
