import type { Config } from '../config.ts'
import { openProvider, redirectAddress } from '../people/provider.ts'
import { describeError } from '../platform/errors.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const PART = 'console'
const ANSWER_MS_MAX = 5_000
const CLOCK_SECONDS_MAX = 30

/** The part of `lodgeway doctor` that checks how people sign in. It asks the provider as a browser would. */
export async function examineConsole({ console: settings, publicUrl, sandbox }: Config): Promise<Finding[]> {
  if (!settings) return [ok(PART, 'off')]
  if (!settings.provider) {
    if (sandbox) return [ok(PART, `${publicUrl}/console`)]
    const fix = 'Set CONSOLE_ISSUER. Until then nobody can approve or authorise in the console.'
    return [warning(PART, 'People sign in with links from the command line alone.', fix)]
  }
  const { issuer } = settings.provider
  const problems: string[] = []
  const provider = openProvider({ ...settings.provider, publicUrl, warn: (message) => problems.push(message) })
  try {
    const { address } = await provider.begin()
    // Without asking the person: a provider that accepts our address sends the refusal there.
    const response = await fetch(`${address}&prompt=none`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    return [redirect(response, publicUrl), ...clock(response.headers.get('date'))]
  } catch (error) {
    const fix = 'Check CONSOLE_ISSUER, and that this machine can connect to it.'
    return [failure(PART, `${issuer}: ${problems[0] ?? describeError(error)}`, fix)]
  }
}

function redirect({ status, headers }: Response, publicUrl: string): Finding {
  const address = redirectAddress(publicUrl)
  if (headers.get('location')?.startsWith(address)) return ok(PART, `${publicUrl}/console, the provider accepts us`)
  const fix = `Register ${address} as a redirect address at the provider, and check CONSOLE_CLIENT_ID and PUBLIC_URL.`
  return failure(PART, `The provider does not send people back here (it answers ${status}).`, fix)
}

function clock(date: string | null): Finding[] {
  const seconds = Math.round((Date.now() - Date.parse(date ?? '')) / 1_000)
  if (!(Math.abs(seconds) > CLOCK_SECONDS_MAX)) return []
  const fix = 'Let both machines follow a time server: a recent sign-in would be taken for an old one.'
  return [warning(PART, `The clock of the provider differs from ours by ${Math.abs(seconds)} s.`, fix)]
}
