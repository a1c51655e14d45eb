import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renameParty, setIncoming, setOutgoing } from '../../test/fixtures/ownership.ts'
import type { Name } from '../workspaces/names.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import { act, actAll, assertRestored, BLANK, holds, type World } from './matter-worlds.fixture.ts'
import { isSameName } from './names.ts'
import { presentChange, presentReconciliation } from './present.ts'
import { linkedParties, proprietorCount, unmatchedProprietors, validationStatusOf } from './rules-links.ts'

// Laws that hold whatever was done before.

describe('an action', () => {
  it('done twice is done once, and answers the same', () => {
    holds((world, action) => {
      const once = act(world, action)
      if (!once) return false
      const twice = act(once, action)
      assert.equal(twice?.matter, once.matter)
      assert.deepEqual(twice.applications, once.applications)
      assert.deepEqual(presentChange(twice.matter, action), presentChange(once.matter, action))
      return true
    })
  })

  it('is judged whole: where it is refused nothing was changed', () => {
    holds((world, action) => {
      const before = structuredClone(world)
      act(world, action)
      assert.deepEqual(world, before)
      return true
    })
  })
})

describe('UPDATE_PARTY_NAME', () => {
  it('ends a coming or a going only to link the party that it renames', () => {
    holds((world, action) => {
      const next = act(world, action)
      if (action.action !== 'UPDATE_PARTY_NAME' || !next) return false
      const [before, after] = [world, next].map(({ matter }) =>
        matter.parties.filter(({ role }) => role !== 'BORROWER'),
      )
      const isLinked = linkedParties(next.matter).has(action.partyId)
      assert.ok(before && after && (isLinked || before.length === after.length))
      return true
    })
  })
})

describe('a name set back', () => {
  it('restores all, where it was the present name of a proprietor', () => {
    holds((world, action) => {
      if (action.action !== 'UPDATE_PROPRIETOR_NAME' && action.action !== 'UPDATE_OUTGOING_PROPRIETOR_NAME')
        return false
      const before = world.matter.proprietors.find(({ proprietorId }) => proprietorId === action.proprietorId)
      const renamed = act(world, action)
      if (!renamed || !before) return false
      const back = act(renamed, { ...action, proprietorDetails: before.name })
      assert.ok(back)
      assertRestored(back, world)
      return true
    })
  })

  // A name that joins a party to somebody who was to leave, or ends its coming, undoes that instead.
  it('restores all, where it was that of a party, and neither way changed who comes and who goes', () => {
    holds((world, action) => {
      const before = world.matter.parties.find(({ partyId }) => 'partyId' in action && partyId === action.partyId)
      const renamed = act(world, action)
      if (action.action !== 'UPDATE_PARTY_NAME' || !before || !renamed) return false
      const back = { ...action, partyDetails: before.name }
      const isSettled = act(world, back)?.matter === world.matter
      if (!isSettled || rolesOf(renamed) !== rolesOf(world)) return false
      const restored = act(renamed, back)
      assert.ok(restored)
      assertRestored(restored, world)
      return true
    })
  })

  const rolesOf = ({ matter }: World) => matter.parties.map(({ partyId, role }) => `${partyId} ${role}`).join()
})

describe('a party renamed to the proprietor it is', () => {
  for (const [what, causes] of [
    ['set as incoming', (partyId: string) => [setIncoming(partyId)]],
    ['the proprietor set as outgoing', (_: string, proprietorId: string) => [setOutgoing(proprietorId)]],
    ['both', (partyId: string, proprietorId: string) => [setIncoming(partyId), setOutgoing(proprietorId)]],
    ['both, the other way round', (partyId: string, id: string) => [setOutgoing(id), setIncoming(partyId)]],
  ] as const) {
    it(`leaves no trace of ${what}`, () => {
      holds((world) => {
        const found = unmatchedPairOf(world.matter)
        if (!found) return false
        const { party, proprietor } = found
        const caused = actAll(world, ...causes(party.partyId, proprietor.proprietorId))
        if (!caused) return false
        const rename = renameParty(party.partyId, proprietor.name)
        const [undone, expected] = [act(caused, rename), act(world, rename)]
        assert.ok(undone && expected)
        assertRestored(undone, expected)
        return true
      })
    })
  }

  /** A free party, and a free proprietor whose name is borne by no other who is free or leaves. */
  function unmatchedPairOf(matter: Ownership) {
    const linked = linkedParties(matter)
    const party = matter.parties.find(({ role, partyId }) => role === 'BORROWER' && !linked.has(partyId))
    const unmatched = unmatchedProprietors(matter)
    const others = [...unmatched, ...matter.proprietors.filter(({ outgoing }) => outgoing)]
    const proprietor = unmatched.find(
      (one) =>
        one.name.type === 'INDIVIDUAL' &&
        !isSameName(one.name, BLANK) &&
        others.every((other) => other === one || !isSameName(one.name, other.name)),
    )
    return party?.name.type === 'INDIVIDUAL' && proprietor ? { party, proprietor } : undefined
  }
})

describe('every matter', () => {
  it('has parties of the three roles, each outgoing one for one outgoing proprietor, under the same name', () => {
    holds(({ matter }) => {
      const roles = ['BORROWER', 'INCOMING_PROPRIETOR', 'OUTGOING_PROPRIETOR']
      assert.ok(matter.parties.every(({ role }) => roles.includes(role)))
      const standing = matter.parties.filter(({ role }) => role === 'OUTGOING_PROPRIETOR')
      const leaving = matter.proprietors.filter(({ outgoing }) => outgoing)
      const shown = (ones: readonly { proprietorId?: string; name: Name }[]) =>
        ones.map(({ proprietorId, name }) => JSON.stringify([proprietorId, name])).sort()
      assert.deepEqual(shown(standing), shown(leaving))
      return true
    })
  })

  it('has incoming parties whose proprietorId is their own and no registered one; a borrower has none', () => {
    holds(({ matter }) => {
      const coming = matter.parties.filter(({ role }) => role === 'INCOMING_PROPRIETOR')
      const ids = [...coming, ...matter.proprietors].map(({ proprietorId }) => proprietorId)
      assert.ok(ids.every((id) => id !== undefined))
      assert.equal(new Set(ids).size, ids.length)
      assert.ok(matter.parties.every(({ role, proprietorId }) => role !== 'BORROWER' || proprietorId === undefined))
      return true
    })
  })

  it('keeps the parties that the lender named, in their order, and every registered name', () => {
    holds(({ matter }, _, first) => {
      const named = matter.parties.slice(0, first.parties.length)
      assert.deepEqual(
        named.map(({ partyId }) => partyId),
        first.parties.map(({ partyId }) => partyId),
      )
      assert.deepEqual(
        matter.proprietors.map(({ registeredName }) => registeredName),
        first.proprietors.map(({ registeredName }) => registeredName),
      )
      return true
    })
  })

  it('links one to one, borrowers with proprietors who stay, of one name', () => {
    holds(({ matter }) => {
      const linked = [...linkedParties(matter)]
      assert.equal(new Set(linked.map(([, proprietorId]) => proprietorId)).size, linked.length)
      for (const [partyId, proprietorId] of linked) {
        const party = matter.parties.find((one) => one.partyId === partyId)
        const proprietor = matter.proprietors.find((one) => one.proprietorId === proprietorId)
        assert.ok(party?.role === 'BORROWER' && proprietor?.outgoing === false)
        assert.ok(isSameName(party.name, proprietor.name))
      }
      return true
    })
  })

  it('has at most four proprietors', () => {
    holds(({ matter }) => {
      assert.ok(proprietorCount(matter) <= 4)
      return true
    })
  })

  it('is VALID just where every borrower is linked or incoming, and every proprietor linked or outgoing', () => {
    holds(({ matter }) => {
      const { borrowersValidationStatus, parties, unmatchedProprietors: unmatched } = presentReconciliation(matter)
      const linked = linkedParties(matter)
      const isValid =
        matter.parties.every(({ role, partyId }) => role !== 'BORROWER' || linked.has(partyId)) &&
        matter.proprietors.every((one) => one.outgoing || [...linked.values()].includes(one.proprietorId))
      assert.equal(validationStatusOf(matter) === 'VALID', isValid)
      assert.equal(borrowersValidationStatus, validationStatusOf(matter))
      const isShown = parties.every(({ match }) => match === 'MATCH') && unmatched.length === 0
      assert.equal(isShown, isValid)
      return true
    })
  })
})
