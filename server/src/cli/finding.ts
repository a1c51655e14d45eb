import { adviceOn, newestSafe, type Program } from './advisories.ts'

/** What `lodgeway doctor` found about one part, and how to fix it. */
export type Finding = { part: string; state: 'ok' | 'warning' | 'error'; message: string; fix?: string }

export const ok = (part: string, message: string): Finding => ({ part, state: 'ok', message })
export const warning = (part: string, message: string, fix: string): Finding => ({
  part,
  state: 'warning',
  message,
  fix,
})
export const failure = (part: string, message: string, fix: string): Finding => ({ part, state: 'error', message, fix })

/** Whether a program that the service runs on has published vulnerabilities. `before` says when it must be fixed. */
export function versionFinding(part: string, program: Program, version: string, before: string): Finding {
  const name = `${program} ${version}`
  const advice = adviceOn(program, version)
  if (advice.state === 'safe') return ok(part, name)
  const fix = (safe: string) => `Before ${before}, run ${program} ${safe} or newer.`
  if (advice.state === 'vulnerable') return warning(part, `${name} has known vulnerabilities.`, fix(advice.safeFrom))
  const unknown = `${name}: it is not known whether this release line has vulnerabilities.`
  return warning(part, unknown, `Read its advisories. ${fix(newestSafe(program))}`)
}
