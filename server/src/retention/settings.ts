/** How long things are kept. docs/privacy.md says why. */
export type RetentionSettings = {
  /** From the day on which the matter ended. */
  closedYears: number
  cancelledYears: number
  /** Documents that show who somebody is. All others go with the matter. */
  identityYears: number
  /** Before it, no request of a data subject erases a matter. */
  requiredYears: number
  /** What accounts looked like before and after a change. That of a matter goes with the matter. */
  auditYears: number
  feedDays: number
}

type Reader = { integer(name: string, fallback: number, min: number, max: number): number }

const YEARS_MAX = 100
const FEED_DAYS_MIN = 30 // the interface promises so many
const FEED_DAYS_MAX = 3_650

export function readRetention(read: Reader, problems: string[]): RetentionSettings {
  const settings: RetentionSettings = {
    closedYears: read.integer('RETENTION_CLOSED_YEARS', 7, 1, YEARS_MAX),
    cancelledYears: read.integer('RETENTION_CANCELLED_YEARS', 7, 1, YEARS_MAX),
    identityYears: read.integer('RETENTION_IDENTITY_YEARS', 5, 1, YEARS_MAX),
    requiredYears: read.integer('RETENTION_REQUIRED_YEARS', 6, 1, YEARS_MAX),
    auditYears: read.integer('RETENTION_AUDIT_YEARS', 7, 1, YEARS_MAX),
    feedDays: read.integer('RETENTION_FEED_DAYS', 90, FEED_DAYS_MIN, FEED_DAYS_MAX),
  }
  if (settings.requiredYears > Math.min(settings.closedYears, settings.cancelledYears)) {
    problems.push(
      'RETENTION_REQUIRED_YEARS must not exceed RETENTION_CLOSED_YEARS and RETENTION_CANCELLED_YEARS: matters would be erased before it.',
    )
  }
  return settings
}
