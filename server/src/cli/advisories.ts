// The programs that the service runs on: for each release line the first version without a known advisory of high severity.
// Reviewed before each release (docs/security.md).

const SAFE_FROM = {
  'Node.js': ['24.22.1', '26.12.1'], // CVE-2026-111497 and others, 21 October 2026
  PostgreSQL: ['18.6'], // CVE-2026-14680 and others, 13 August 2026
}

export type Program = keyof typeof SAFE_FROM

/** `not known`: its release line is not listed, so it may or may not have advisories. */
export type Advice = { state: 'safe' } | { state: 'vulnerable'; safeFrom: string } | { state: 'not known' }

const byNumber = new Intl.Collator('en', { numeric: true })

export function adviceOn(program: Program, version: string): Advice {
  const bare = version.replace(/^v/, '')
  const safeFrom = SAFE_FROM[program].find((one) => lineOf(one) === lineOf(bare))
  if (safeFrom === undefined) return { state: 'not known' }
  return byNumber.compare(bare, safeFrom) < 0 ? { state: 'vulnerable', safeFrom } : { state: 'safe' }
}

/** The newest version that is known to be safe. */
export const newestSafe = (program: Program): string => SAFE_FROM[program].at(-1) ?? ''

const lineOf = (version: string): number => Number.parseInt(version, 10)
