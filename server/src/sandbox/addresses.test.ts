import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { oneLine } from '../registry/entry-wording.ts'
import { ACCOUNT_NOTES } from '../settlement/simulator.ts'
import { TITLE_NOTES, WORLD } from '../simulated-registry/world.ts'
import { ADDRESSES } from './addresses.ts'

/** The last two letters of a postcode are none of C, I, K, M, O and V. */
const POSTCODE = /^[A-Z]{1,2}\d{1,2} \d[ABD-HJLNP-UW-Z]{2}$/

const plain = (markdown: string) => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')

const GUIDE = readFileSync(new URL('../../../docs/guide/sandbox.md', import.meta.url), 'utf8').split('\n')

describe('the address to order a title with', () => {
  for (const [titleNumber, holding] of WORLD) {
    if (holding.kind !== 'registered') continue
    const expected = titleNumber !== 'AD100001'
    it(`of ${titleNumber} is ${expected ? '' : 'not '}the one in the register`, () => {
      const { lines, postcode } = holding.register.property.address
      const ordered = ADDRESSES[titleNumber] ?? assert.fail('there is none')
      const parts = [ordered.flat, ordered.name, ordered.number].filter((part) => part !== undefined)
      const isThere = parts.every((part) => ` ${lines.join(' ')} `.includes(` ${part} `))
      assert.equal(isThere && ordered.postcode === postcode, expected)
      assert.match(ordered.postcode, POSTCODE)
      const documented = expected ? `| ${oneLine({ lines, postcode: ordered.postcode })} |` : ordered.postcode
      assert.ok(GUIDE.some((row) => row.startsWith(`| \`${titleNumber}\` |`) && row.includes(documented)))
    })
  }
})

describe('the guide', () => {
  for (const [number, note] of Object.entries({ ...TITLE_NOTES, ...ACCOUNT_NOTES })) {
    it(`says what ${number} is for, in the simulator's own words`, () => {
      const row = GUIDE.find((one) => one.startsWith(`| \`${number}\` |`)) ?? ''
      assert.ok(plain(row).endsWith(`| ${note} |`), row)
    })
  }

  it('says it of every title', () => assert.deepEqual(Object.keys(TITLE_NOTES).sort(), [...WORLD.keys()].sort()))
})
