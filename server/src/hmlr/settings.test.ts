import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSettings } from './settings.ts'

const PRICED = { HMLR_EXTRACT_PRICE_PENCE: '700' }

const problemsWith = (env: Record<string, string>): string[] => {
  const problems: string[] = []
  readSettings({ ...PRICED, ...env }, problems)
  return problems
}

describe('the settings of the gateway', () => {
  it('are those of the live service, and only the price of an extract must be set', () => {
    assert.deepEqual(problemsWith({}), [])
    const { restUrl, proprietorNamesUrl, submissionVersion, dischargeCheckDays } = readSettings(PRICED, [])
    assert.equal(restUrl, 'https://businessgateway.landregistry.gov.uk/bg2/api')
    assert.equal(proprietorNamesUrl, `${restUrl}/v1/titles/{title}/registered-proprietor-names`)
    assert.deepEqual([submissionVersion, dischargeCheckDays], ['v1', 14])
  })

  for (const [name, value, problem] of [
    ['HMLR_EXTRACT_PRICE_PENCE', '', /must be a whole number from 1 to 100000\.$/],
    ['HMLR_EXTRACT_PRICE_PENCE', '7.00', /it is "7\.00"/],
    ['HMLR_REST_URL', 'http://gateway.example', /must be a URL that begins with https:/],
    ['HMLR_SUBMISSION_VERSION', 'v3', /must be v1 or v2/],
    ['HMLR_DISCHARGE_CHECK_DAYS', '0', /must be a whole number from 1 to 366/],
  ] as const) {
    it(`say what is wrong with ${name}=${value}`, () => {
      const [found, ...more] = problemsWith({ [name]: value })
      assert.match(found ?? '', problem)
      assert.deepEqual(more, [])
    })
  }
})
