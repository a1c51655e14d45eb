import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openVault } from './vault.ts'

const PEPPER = 'p'.repeat(32)
const vault = openVault(PEPPER)

describe('a vault', () => {
  it('opens what it sealed, for its owner, on every node with the same pepper', () => {
    assert.equal(openVault(PEPPER).open(vault.seal('a secret', 'owner'), 'owner'), 'a secret')
  })

  it('reveals nothing, and seals the same text differently each time', () => {
    const [one, other] = [vault.seal('a secret', 'owner'), vault.seal('a secret', 'owner')]
    assert.ok(!one.includes('secret') && !one.equals(other))
  })

  it('opens nothing for another owner, with another pepper, or after a change', () => {
    const sealed = vault.seal('a secret', 'owner')
    assert.throws(() => vault.open(sealed, 'another'))
    assert.throws(() => openVault('q'.repeat(32)).open(sealed, 'owner'))
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
    assert.throws(() => vault.open(changed, 'owner'))
  })
})
