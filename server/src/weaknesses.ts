// The programs below us, and the first version of a line that is free of every weakness of high severity which was known
// when we were released. Looked through before each release (docs/security.md).

const SOUND_FROM = {
  'Node.js': ['24.22.1', '26.12.1'], // CVE-2026-111497 and others, 21 October 2026
  PostgreSQL: ['18.6'], // CVE-2026-14680 and others, 13 August 2026
}

const byNumber = new Intl.Collator('en', { numeric: true })

/** The first sound version of the line that this one is of, where this one is older. */
export function newerToRun(program: keyof typeof SOUND_FROM, version: string): string | undefined {
  const bare = version.replace(/^v/, '')
  const sound = SOUND_FROM[program].find((one) => Number.parseInt(one, 10) === Number.parseInt(bare, 10))
  return sound !== undefined && byNumber.compare(bare, sound) < 0 ? sound : undefined
}
