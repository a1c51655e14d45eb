import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  after,
  aMatter,
  beforeSearch,
  company,
  newIds,
  renameOutgoing,
  renameParty,
  renameProprietor,
  setIncoming,
  setOutgoing,
} from '../../test/fixtures/ownership.ts'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import { type Action, decideRoleRemoval, reconcile } from './rules.ts'
import { proprietorCount } from './rules-links.ts'

// party 1 is matched to proprietor 1; party 2 is incoming; proprietor 2 is outgoing; party 3 and proprietor 3 are free.
const matter = after(
  aMatter(['William Prynne', 'Grace Okafor', 'Ann Lee'], ['William Prynne', 'Tracey Prynne', 'Maria Santos']),
  setIncoming('party 2'),
  setOutgoing('proprietor 2'),
)
const [INCOMING, LEAVING] = ['new proprietor 1', 'new party 2']
const COMPANY = company('Turner Holdings Limited', '02294747')
const alone = aMatter([COMPANY], ['Alan Turner', company('Hill plc')])
const unsearched = beforeSearch(aMatter(['William Prynne', 'Grace Okafor']))
const nobody = 'nobody'

const refused = (state: Ownership, action: Action) => refusalOf(() => reconcile(state, action, newIds(9)))

describe('reconcile refuses', () => {
  for (const [what, state, action, expected] of [
    ['to rename a party that is outgoing', matter, renameParty(LEAVING, 'Tracey Bell'), 'conflict partyId'],
    ['to set a matched party as incoming', matter, setIncoming('party 1'), 'conflict partyId'],
    ['to set an outgoing party as incoming', matter, setIncoming(LEAVING), 'conflict partyId'],
    ['to set a matched proprietor as outgoing', matter, setOutgoing('proprietor 1'), 'conflict proprietorId'],
    ['to set an incoming proprietor as outgoing', matter, setOutgoing(INCOMING), 'conflict proprietorId'],
    ['to rename a proprietor that is incoming', matter, renameProprietor(INCOMING, 'A B'), 'conflict proprietorId'],
    ['to rename an outgoing one so', matter, renameProprietor('proprietor 2', 'A B'), 'conflict proprietorId'],
    ['to rename one that stays as outgoing', matter, renameOutgoing('proprietor 3', 'A B'), 'conflict proprietorId'],
    [
      'to rename one that is matched as outgoing',
      matter,
      renameOutgoing('proprietor 1', 'A B'),
      'conflict proprietorId',
    ],
    ['to rename one that is incoming as outgoing', matter, renameOutgoing(INCOMING, 'A B'), 'conflict proprietorId'],
    ['to rename an unknown party', matter, renameParty(nobody, 'A B'), 'not_found partyId'],
    ['to rename an unknown party before a search', unsearched, renameParty(nobody, 'A B'), 'not_found partyId'],
    ['to set an unknown party as incoming', matter, setIncoming(nobody), 'not_found partyId'],
    ['an unknown party as incoming before a search', unsearched, setIncoming(nobody), 'not_found partyId'],
    ['to set an unknown proprietor as outgoing', matter, setOutgoing(nobody), 'not_found proprietorId'],
    ['to rename an unknown proprietor', matter, renameProprietor(nobody, 'A B'), 'not_found proprietorId'],
    ['to rename an unknown outgoing proprietor', matter, renameOutgoing(nobody, 'A B'), 'not_found proprietorId'],
    ['a partyId as a proprietorId', matter, setOutgoing('party 3'), 'not_found proprietorId'],
    ['a proprietorId as a partyId', matter, setIncoming('proprietor 3'), 'not_found partyId'],
    ['another type for a party', matter, renameParty('party 1', COMPANY), 'invalid type'],
    ['a person as the name of a company', alone, renameParty('party 1', 'Alan Turner'), 'invalid type'],
    ['another type for a proprietor', matter, renameProprietor('proprietor 3', COMPANY), 'invalid type'],
    ['a person as the name of a registered company', alone, renameProprietor('proprietor 2', 'A B'), 'invalid type'],
    ['another type for an outgoing proprietor', matter, renameOutgoing('proprietor 2', COMPANY), 'invalid type'],
    ['the type before the state of a party', matter, renameParty(LEAVING, COMPANY), 'invalid type'],
    ['the type before the state of a proprietor', matter, renameProprietor('proprietor 2', COMPANY), 'invalid type'],
    ['the type before an incoming state', matter, renameProprietor(INCOMING, COMPANY), 'invalid type'],
    ['the type before the state of one not outgoing', matter, renameOutgoing('proprietor 3', COMPANY), 'invalid type'],
    ['to set a party as incoming before a search', unsearched, setIncoming('party 1'), 'conflict'],
    ['to set a proprietor as outgoing before a search', unsearched, setOutgoing(nobody), 'conflict'],
    ['to rename a proprietor before a search', unsearched, renameProprietor(nobody, 'A B'), 'conflict'],
    ['to rename an outgoing one before a search', unsearched, renameOutgoing(nobody, 'A B'), 'conflict'],
  ] as const) {
    it(`${what}: ${expected}`, () => assert.equal(refused(state, action), expected))
  }

  it('all that is wrong at once: a fifth proprietor who is matched already', () => {
    const four = aMatter(['A A'], ['A A', 'B B', 'C C', 'D D'])
    assert.equal(refused(four, setIncoming('party 1')), 'conflict partyId partyId')
  })

  it('a fifth proprietor', () => {
    const four = aMatter(['Grace Okafor'], ['A A', 'B B', 'C C', 'D D'])
    assert.equal(refused(four, setIncoming('party 1')), 'conflict partyId')
    assert.equal(proprietorCount(after(four, setOutgoing('proprietor 1'), setIncoming('party 1'))), 4)
  })

  it('a fifth proprietor who would stay after all', () => {
    const full = after(
      aMatter(['Grace Okafor', 'Ann Lee'], ['A A', 'B B', 'C C', 'D D']),
      setOutgoing('proprietor 1'),
      setIncoming('party 1'),
    )
    assert.equal(refused(full, renameParty('party 2', 'A A')), 'conflict partyId')
    assert.equal(proprietorCount(after(full, renameParty('party 1', 'A A'))), 4)
  })

  it('nobody who was too many before: a register of five stays one of five', () => {
    const five = aMatter(['Grace Okafor'], ['A A', 'B B', 'C C', 'D D', 'E E'])
    assert.equal(proprietorCount(after(five, renameParty('party 1', 'E E'))), 5)
    assert.equal(refused(five, setIncoming('party 1')), 'conflict partyId')
  })
})

describe('decideRoleRemoval', () => {
  const removed = (state: Ownership, partyId: string) => {
    const party = state.parties.find((one) => one.partyId === partyId) ?? assert.fail(partyId)
    const [change] = decideRoleRemoval(state, party)
    return { ...state, parties: change?.parties ?? [], proprietors: change?.proprietors ?? [] }
  }

  it('undoes an incoming or an outgoing role, and nothing else', () => {
    const fresh = aMatter(
      ['William Prynne', 'Grace Okafor', 'Ann Lee'],
      ['William Prynne', 'Tracey Prynne', 'Maria Santos'],
    )
    assert.deepEqual(removed(removed(matter, 'party 2'), LEAVING), fresh)
  })

  it('refuses a plain borrower, and a fifth proprietor who would stay after all', () => {
    const full = after(
      aMatter(['Grace Okafor'], ['A A', 'B B', 'C C', 'D D']),
      setOutgoing('proprietor 1'),
      setIncoming('party 1'),
    )
    assert.equal(
      refusalOf(() => removed(matter, 'party 1')),
      'conflict party_id',
    )
    assert.equal(
      refusalOf(() => removed(full, 'new party 1')),
      'conflict party_id',
    )
  })
})

describe('doing the same again changes nothing', () => {
  const renamed = after(matter, renameProprietor('proprietor 3', 'Maria Bueno'))
  for (const [what, state, action] of [
    ['a party renamed', matter, renameParty('party 3', 'Bo Lee')],
    ['a party renamed to a proprietor', matter, renameParty('party 3', 'Maria Santos')],
    ['a party renamed to an outgoing proprietor', matter, renameParty('party 3', 'Tracey Prynne')],
    ['an incoming party renamed', matter, renameParty('party 2', 'Grace Bello')],
    ['an incoming party renamed to a proprietor', matter, renameParty('party 2', 'Maria Santos')],
    ['a company renamed with digits to be padded', alone, renameParty('party 1', company('Hill plc', '77'))],
    ['a party set as incoming', matter, setIncoming('party 3')],
    ['a proprietor set as outgoing', matter, setOutgoing('proprietor 3')],
    ['a proprietor renamed', matter, renameProprietor('proprietor 1', 'Bill Prynne')],
    ['a proprietor renamed to a party', matter, renameProprietor('proprietor 3', 'Ann Lee')],
    ['a proprietor renamed back', renamed, renameProprietor('proprietor 3', 'Maria Santos')],
    ['an outgoing proprietor renamed', matter, renameOutgoing('proprietor 2', 'Tracey Bell')],
    ['a party renamed before a search', unsearched, renameParty('party 1', 'Bo Lee')],
  ] as const) {
    it(`${what}, twice`, () => {
      const once = reconcile(state, action, newIds(1))
      assert.notEqual(once, state)
      assert.equal(reconcile(once, action, newIds(2)), once)
    })
  }

  it('and neither does giving a name that is borne already', () => {
    assert.equal(reconcile(matter, renameParty('party 1', 'William Prynne'), newIds(1)), matter)
    assert.equal(reconcile(matter, renameProprietor('proprietor 1', 'William Prynne'), newIds(1)), matter)
    assert.equal(reconcile(matter, renameOutgoing('proprietor 2', 'Tracey Prynne'), newIds(1)), matter)
  })
})
