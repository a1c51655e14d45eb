import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { readRetention } from '../src/retention/settings.ts'

// docs/privacy.md says what is kept and for how long. Here it is compared with the database and the settings.

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8')
const text = read('docs/privacy.md')

describe('docs/privacy.md', () => {
  it('says of every table how long it is kept, and names no other', () => {
    const [, section = ''] = text.split('## Every table')
    const [list = ''] = section.split('\n## ')
    const rows = list.split('\n').filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((row) => {
      const [, tables = '', , , kept = ''] = row.split('|')
      assert.ok(kept.trim(), `${tables}: how long is it kept?`)
      return [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => table)
    })
    const tables = [...read('server/schema.sql').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table)
    assert.deepEqual(named.toSorted(), tables.toSorted())
  })

  it('has the settings with their defaults, as docs/operations.md has', () => {
    const settings: [name: string, value: number][] = []
    const integer = (name: string, value: number) => {
      settings.push([name, value])
      return value
    }
    readRetention({ integer }, [])
    for (const [name, value] of settings) {
      assert.match(text, new RegExp(`\\| \`${name}\` \\| ${value} (years|days)`))
      assert.match(read('docs/operations.md'), new RegExp(`\\| \`${name}\` \\| \`${value}\` \\|`))
    }
  })
})
