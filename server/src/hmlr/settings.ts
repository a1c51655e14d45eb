/** The value of `REGISTRY` that chooses this adapter. */
export const HMLR = 'hmlr'

/** How HM Land Registry's Business Gateway is reached. Accounts are separate: each law firm has its own. */
export type Settings = {
  restUrl: string
  soapUrl: string
  /** Where the names of proprietors are: two published files differ. `{title}` is replaced. */
  proprietorNamesUrl: string
  /** The wrapper of SOAP messages, which no published file shows. */
  soapNamespace: string
  soapOperation: string
  soapPollOperation: string
  submissionVersion: 'v1' | 'v2'
  /** What a register extract is expected to cost. The gateway refuses to charge more. */
  extractPricePence: number
  /** An application that takes days is asked about after so many hours at most. */
  checkHours: number
  /** After an early completion, the register is looked at again after so many days, at the price of an extract. */
  dischargeCheckDays: number
  /** Authorities in PEM that are trusted in addition to the public ones. */
  caFile: string | undefined
}

const LIVE = 'https://businessgateway.landregistry.gov.uk'

/** Read from the environment. Problems are added only where this registry is used. */
export function readSettings(env: Readonly<Record<string, string | undefined>>, problems: string[]): Settings {
  const text = (name: string) => env[name]?.trim() || undefined
  const url = (name: string, fallback: string): string => {
    const given = text(name) ?? fallback
    const isSecure = given === fallback || (URL.canParse(given) && new URL(given).protocol === 'https:')
    if (!isSecure) problems.push(`${name} must be a URL that begins with https:.`)
    return given.replace(/\/$/, '')
  }
  const whole = (name: string, fallback: number | undefined, max: number): number => {
    const given = text(name)
    const value = given === undefined ? fallback : Number(/^\d+$/.test(given) ? given : Number.NaN)
    if (value !== undefined && value >= 1 && value <= max) return value
    problems.push(`${name} must be a whole number from 1 to ${max}${given === undefined ? '' : `; it is "${given}"`}.`)
    return 0
  }
  const restUrl = url('HMLR_REST_URL', `${LIVE}/bg2/api`)
  const version = text('HMLR_SUBMISSION_VERSION') ?? 'v1'
  if (version !== 'v1' && version !== 'v2') problems.push('HMLR_SUBMISSION_VERSION must be v1 or v2.')
  return {
    restUrl,
    soapUrl: url('HMLR_SOAP_URL', `${LIVE}/b2b/BGSoapEngine`),
    proprietorNamesUrl: url('HMLR_PROPRIETOR_NAMES_URL', `${restUrl}/v1/titles/{title}/registered-proprietor-names`),
    soapNamespace: text('HMLR_SOAP_NAMESPACE') ?? 'http://ocwithsummaryv2_1.ws.bg.lr.gov/',
    soapOperation: text('HMLR_SOAP_OPERATION') ?? 'performOCWithSummary',
    soapPollOperation: text('HMLR_SOAP_POLL_OPERATION') ?? 'getResponse',
    submissionVersion: version === 'v2' ? 'v2' : 'v1',
    extractPricePence: whole('HMLR_EXTRACT_PRICE_PENCE', undefined, 100_000),
    checkHours: whole('HMLR_CHECK_HOURS', 2, 24),
    dischargeCheckDays: whole('HMLR_DISCHARGE_CHECK_DAYS', 14, 366),
    caFile: text('HMLR_CA_FILE'),
  }
}
