/** How people sign in to the console. Undefined where there is no console. */
export type ConsoleSettings = {
  provider: { issuer: string; clientId: string; clientSecret: string } | undefined
  /** Whether links that work once let somebody in. */
  links: boolean
  idleMinutes: number
  sessionHours: number
  /** How old a sign-in may be for a decision; 0 for any age. */
  stepUpMinutes: number
}

/** What reads a setting, and notes what is wrong with it. */
type Reader = {
  text(name: string): string | undefined
  integer(name: string, fallback: number, min: number, max: number): number
  url(name: string, protocols: readonly string[]): string | undefined
  choice(name: string, choices: readonly string[], fallback: string): string
}

const SWITCH = ['on', 'off']

export function readConsoleSettings(
  read: Reader,
  { sandbox, publicUrl, isLoopback }: { sandbox: boolean; publicUrl: string; isLoopback: (host: string) => boolean },
  problems: string[],
): ConsoleSettings | undefined {
  const isPlain = (url: string) => url.startsWith('http:') && !isLoopback(new URL(url).hostname)
  const issuer = read.url('CONSOLE_ISSUER', ['https:', 'http:'])
  const [clientId, clientSecret] = [read.text('CONSOLE_CLIENT_ID'), read.text('CONSOLE_CLIENT_SECRET')]
  const settings: ConsoleSettings = {
    provider: issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined,
    links: read.choice('CONSOLE_LINKS', SWITCH, sandbox ? 'on' : 'off') === 'on',
    idleMinutes: read.integer('CONSOLE_IDLE_MINUTES', 30, 1, 1_440),
    sessionHours: read.integer('CONSOLE_SESSION_HOURS', 12, 1, 168),
    stepUpMinutes: read.integer('CONSOLE_STEP_UP_MINUTES', sandbox ? 0 : 15, 0, 1_440),
  }
  if ((issuer || clientId || clientSecret) && !settings.provider) {
    problems.push('CONSOLE_ISSUER, CONSOLE_CLIENT_ID and CONSOLE_CLIENT_SECRET belong together: set all or none.')
  }
  if (issuer && isPlain(issuer)) {
    problems.push('CONSOLE_ISSUER must be a URL that begins with https: unless it is on this machine.')
  }
  if (read.choice('CONSOLE', SWITCH, sandbox || issuer ? 'on' : 'off') === 'off') return undefined
  if (!sandbox && !settings.provider && !settings.links) {
    problems.push('CONSOLE=on needs CONSOLE_ISSUER, or CONSOLE_LINKS=on: nobody could sign in.')
  }
  if (new URL(publicUrl).pathname !== '/') problems.push('PUBLIC_URL must have no path if the console is on.')
  if (!sandbox && isPlain(publicUrl)) {
    problems.push('PUBLIC_URL must begin with https: for the console, whose cookies are sent over TLS alone.')
  }
  return settings
}
