import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  after,
  aMatter,
  beforeSearch,
  company,
  renameOutgoing,
  renameParty,
  renameProprietor,
  setIncoming,
  setOutgoing,
} from '../../test/fixtures/ownership.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import { type Action, decideRoleRemoval, withoutRoles } from './rules.ts'
import {
  asRegistered,
  causesOf,
  linkedParties,
  presentlyNamed,
  proprietorCount,
  validationStatusOf,
} from './rules-links.ts'

// What follows from a matter: addresses that stay, links, the validation status, the count, and what the case has to register.

const TURNER = company('Turner Holdings Limited', '02294747')

const links = (matter: Ownership) => [...linkedParties(matter)].map(([party, proprietor]) => `${party} = ${proprietor}`)

describe('linkedParties', () => {
  it('links two borrowers of one name to two proprietors of that name, in their order', () => {
    assert.deepEqual(links(aMatter(['Ann Lee', 'ann lee'], ['ANN LEE', 'Ann Lée'])), [
      'party 1 = proprietor 1',
      'party 2 = proprietor 2',
    ])
  })

  it('links an organisation by number before name, and by name where there is no number', () => {
    const register = [company('Turner Ltd'), company('Hill plc', '02294747')]
    assert.deepEqual(links(aMatter([company('Turner Limited', '02294747')], register)), ['party 1 = proprietor 2'])
    assert.deepEqual(links(aMatter([company('TURNER LIMITED')], register)), ['party 1 = proprietor 1'])
  })

  it('never links a person to a company', () => {
    assert.deepEqual(links(aMatter(['Turner Ltd'], [company('Turner Ltd')])), [])
  })

  it('links neither who comes nor who goes', () => {
    const matter = after(aMatter(['Ann Lee'], ['Bo Hill']), setIncoming('party 1'))
    assert.deepEqual(links(after(matter, renameProprietor('proprietor 1', 'Ann Lee'))), [])
    const leaving = after(aMatter(['Ann Lee'], ['Bo Hill']), setOutgoing('proprietor 1'))
    assert.deepEqual(links(after(leaving, renameOutgoing('proprietor 1', 'Ann Lee'))), [])
  })

  it('links nobody before a search', () => {
    assert.deepEqual(links({ ...aMatter(['Ann Lee'], ['Ann Lee']), searched: false }), [])
  })
})

describe('validationStatusOf', () => {
  const [people, owners] = [
    ['William Prynne', 'Grace Okafor'],
    ['William Prynne', 'Tracey Prynne'],
  ]
  const stranger = aMatter(people, owners)
  for (const [expected, when, matter] of [
    ['PENDING', 'no search has succeeded', beforeSearch(stranger)],
    ['PENDING', 'none has, although all would fit', { ...aMatter(['A B'], ['A B']), searched: false }],
    ['VALID', 'everybody is linked', aMatter(owners, owners)],
    ['VALID', 'a company is linked by its number', aMatter([company('Hill plc', '2294747')], [TURNER])],
    [
      'VALID',
      'every borrower is linked or incoming, every proprietor linked or outgoing',
      after(stranger, setIncoming('party 2'), setOutgoing('proprietor 2')),
    ],
    ['VALID', 'nobody stays', after(aMatter(['A B'], ['C D']), setIncoming('party 1'), setOutgoing('proprietor 1'))],
    ['TYPE_INVALID', 'a person stands against a company', aMatter(['Alan Turner'], [TURNER])],
    ['TYPE_INVALID', 'a company stands against a person', aMatter([TURNER], ['Alan Turner'])],
    ['TYPE_INVALID', 'the counts differ as well', aMatter(['A B', 'C D'], [TURNER])],
    ['TYPE_INVALID', 'the one of its type is linked', aMatter(['Alan Turner', 'C D'], ['Alan Turner', TURNER])],
    ['COUNT_INVALID', 'a proprietor is too many', aMatter(['William Prynne'], owners)],
    ['COUNT_INVALID', 'a borrower is too many', aMatter(people, ['William Prynne'])],
    ['COUNT_INVALID', 'one type is shared, but not the count', aMatter(['A B'], ['C D', TURNER])],
    ['COUNT_INVALID', 'the register names nobody', aMatter(['A B'])],
    ['COUNT_INVALID', 'only who comes is explained', after(stranger, setIncoming('party 2'))],
    ['COUNT_INVALID', 'only who goes is explained', after(stranger, setOutgoing('proprietor 2'))],
    ['COUNT_INVALID', 'the company of AB1208 has still to leave', aMatter(['Alan Turner'], ['Alan Turner', TURNER])],
    ['INVALID', 'as many borrowers as proprietors are unmatched', stranger],
    ['INVALID', 'nobody is matched', aMatter(['A B', 'C D'], owners)],
    ['INVALID', 'two companies have other numbers', aMatter([company('Turner Holdings Ltd', '1')], [TURNER])],
    ['INVALID', 'one type of two is shared', aMatter(['A B', 'C D'], ['E F', TURNER])],
  ] as const) {
    it(`is ${expected} when ${when}`, () => assert.equal(validationStatusOf(matter), expected))
  }
})

describe('proprietorCount', () => {
  it('is the registered, less those who leave, and those who come', () => {
    const matter = aMatter(['A A', 'B B', 'C C'], ['D D', 'E E'])
    assert.equal(proprietorCount(matter), 2)
    assert.equal(proprietorCount(after(matter, setIncoming('party 1'))), 3)
    assert.equal(proprietorCount(after(matter, setIncoming('party 1'), setOutgoing('proprietor 1'))), 2)
  })
})

describe('causesOf', () => {
  const maria = aMatter(['Maria Santos', 'Grace Okafor'], ['Maria Santos', TURNER])
  const renamed = (matter: Ownership) => causesOf(matter).renamedProprietorIds

  it('has none where the register says it all', () => {
    assert.deepEqual(causesOf(maria), { transfer: false, renamedProprietorIds: [] })
  })

  for (const [name, isCause] of [
    ['Maria Bueno', true],
    ['Mary Santos', true],
    ['MARIA SANTOS', false],
    ['Maria Sántos', false],
    ['Ms Maria Santos', false],
  ] as const) {
    it(`${isCause ? 'has' : 'has no'} change of name where Maria Santos is now ${name}`, () => {
      assert.deepEqual(renamed(after(maria, renameProprietor('proprietor 1', name))), isCause ? ['proprietor 1'] : [])
    })
  }

  for (const [name, isCause] of [
    [company('Turner Group Limited', '02294747'), true],
    [company('Turner Group Limited'), true],
    [company('TURNER HOLDINGS LTD', '2294747'), false],
    [company('The Turner Holdings Limited'), false],
  ] as const) {
    it(`${isCause ? 'has' : 'has no'} change of name where the company is now ${JSON.stringify(name)}`, () => {
      assert.deepEqual(renamed(after(maria, renameProprietor('proprietor 2', name))), isCause ? ['proprietor 2'] : [])
    })
  }

  it('has one for each proprietor renamed, and none for one whose name is set back', () => {
    const both = after(
      maria,
      renameProprietor('proprietor 1', 'Maria Bueno'),
      renameProprietor('proprietor 2', company('Turner Group plc')),
    )
    assert.deepEqual(renamed(both), ['proprietor 1', 'proprietor 2'])
    assert.deepEqual(renamed(after(both, renameProprietor('proprietor 1', 'maria santos'))), ['proprietor 2'])
  })

  for (const [name, isCause] of [
    [company('Turner Group Limited', '2294747'), true],
    [company('Turner Holdings Ltd', '02294747'), false],
    [company('Turner Holdings Limited'), false],
  ] as const) {
    it(`${isCause ? 'has' : 'has no'} change of name where a borrower is linked as ${JSON.stringify(name)}`, () => {
      const linked = aMatter([name], [TURNER])
      assert.deepEqual(links(linked), ['party 1 = proprietor 1'])
      assert.deepEqual(renamed(linked), isCause ? ['proprietor 1'] : [])
      assert.deepEqual(presentlyNamed(linked)[0]?.name, isCause ? name : TURNER)
      assert.deepEqual(asRegistered(linked, [{ name }]), [{ name: isCause ? name : TURNER }], 'as it is lodged')
    })
  }

  it('has one for an outgoing proprietor too', () => {
    const leaving = after(maria, setOutgoing('proprietor 2'), renameOutgoing('proprietor 2', company('Turner Group')))
    assert.deepEqual(causesOf(leaving), { transfer: true, renamedProprietorIds: ['proprietor 2'] })
  })

  it('has none for a party, which nobody registered', () => {
    assert.deepEqual(causesOf(after(maria, renameParty('party 1', 'Maria Bueno'))), {
      transfer: false,
      renamedProprietorIds: [],
    })
  })

  it('has a transfer while anybody comes or goes', () => {
    const coming = after(maria, setIncoming('party 2'))
    assert.equal(causesOf(coming).transfer, true)
    const both = after(coming, setOutgoing('proprietor 2'))
    assert.equal(causesOf(both).transfer, true)
    const stranger = aMatter(['Grace Okafor'], ['Ann Lee'])
    assert.equal(causesOf(after(stranger, setIncoming('party 1'), renameParty('party 1', 'Ann Lee'))).transfer, false)
    assert.equal(
      causesOf(after(stranger, setOutgoing('proprietor 1'), renameParty('party 1', 'Ann Lee'))).transfer,
      false,
    )
  })
})

describe('addressForService', () => {
  const [given, kept] = ['CB79QZ', 'CB7 9QZ'].map((postcode) => ({
    number: '1',
    street: 'High Street',
    town: 'Ely',
    postcode,
  }))
  const addressed = (action: Action) => ({ ...action, addressForService: given }) as Action
  const addressIn = (matter: Ownership) =>
    matter.parties.find(({ partyId }) => partyId === 'party 2')?.addressForService
  const stranger = aMatter(['William Prynne', 'Grace Okafor'], ['William Prynne', 'Tracey Prynne'])
  const incoming = addressed(setIncoming('party 2'))

  for (const [what, actions] of [
    ['is set with the role', [incoming]],
    ['is set later', [setIncoming('party 2'), incoming]],
    ['is set under the same name', [addressed(renameParty('party 2', 'Grace Okafor'))]],
    ['stays when it is left out', [incoming, setIncoming('party 2'), renameParty('party 2', 'Grace Bell')]],
    ['stays with a borrower who is a proprietor after all', [incoming, renameParty('party 2', 'Tracey Prynne')]],
  ] as [string, Action[]][]) {
    it(what, () => assert.deepEqual(addressIn(after(stranger, ...actions)), kept))
  }

  it('stays when the role is removed, and when the title is', () => {
    const matter = after(stranger, incoming)
    const [, party = assert.fail()] = matter.parties
    const [change = assert.fail()] = decideRoleRemoval(matter, party)
    assert.deepEqual(change.parties[1], { ...stranger.parties[1], addressForService: kept })
    assert.deepEqual(withoutRoles(matter.parties), change.parties)
  })
})
