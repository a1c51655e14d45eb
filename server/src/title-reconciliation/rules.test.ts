import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  after,
  aMatter,
  beforeSearch,
  company,
  newIds,
  person,
  renameOutgoing,
  renameParty,
  renameProprietor,
  setIncoming,
  setOutgoing,
  summaryOf,
} from '../../test/fixtures/ownership.ts'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import { type Action, reconcile } from './rules.ts'
import { proprietorCount, validationStatusOf } from './rules-links.ts'

// Effects and refusals of the five actions, each action as a group.

const TURNER = company('Turner Holdings Limited', '02294747')
const couple = aMatter(['William Prynne', 'Tracey Prinne'], ['William Prynne', 'Tracey Prynne'])
const stranger = aMatter(['William Prynne', 'Grace Okafor'], ['William Prynne', 'Tracey Prynne'])

/** Runs the actions and shows the lines of those who are not what they were. */
function changed(matter: Ownership, ...actions: Action[]): string[] {
  const before = summaryOf(matter)
  return summaryOf(after(matter, ...actions)).filter((line) => !before.includes(line))
}

const refused = (matter: Ownership, action: Action) => refusalOf(() => reconcile(matter, action, newIds(9)))

describe('UPDATE_PARTY_NAME', () => {
  it('renames the party and links it to the unmatched proprietor of that name', () => {
    assert.deepEqual(changed(couple, renameParty('party 2', 'Tracey Prynne')), [
      'party 2: Tracey Prynne, BORROWER = proprietor 2',
    ])
  })

  it('links a name that is equal after normalising, and keeps it as it was given', () => {
    const given = { type: 'INDIVIDUAL', forenames: 'Mrs TRACEY', surname: 'prynné' } as const
    assert.deepEqual(changed(couple, renameParty('party 2', given)), [
      'party 2: Mrs TRACEY prynné, BORROWER = proprietor 2',
    ])
  })

  it('links no near name', () => {
    assert.deepEqual(changed(couple, renameParty('party 2', 'Tracy Prynne')), ['party 2: Tracy Prynne, BORROWER'])
  })

  it('takes its match from a matched party that is renamed', () => {
    assert.deepEqual(changed(couple, renameParty('party 1', 'Bill Prynne')), ['party 1: Bill Prynne, BORROWER'])
  })

  it('moves a matched party to another proprietor', () => {
    assert.deepEqual(changed(couple, renameParty('party 1', 'Tracey Prynne')), [
      'party 1: Tracey Prynne, BORROWER = proprietor 2',
    ])
  })

  it('makes an incoming party a plain borrower again where it is an unmatched proprietor', () => {
    assert.deepEqual(
      summaryOf(after(stranger, setIncoming('party 2'), renameParty('party 2', 'Tracey Prynne'))),
      summaryOf(after(stranger, renameParty('party 2', 'Tracey Prynne'))),
    )
  })

  it('lets an outgoing proprietor stay whose name the party takes, and its party go', () => {
    assert.deepEqual(
      after(stranger, setOutgoing('proprietor 2'), renameParty('party 2', 'Tracey Prynne')),
      after(stranger, renameParty('party 2', 'Tracey Prynne')),
    )
  })

  it('does both for an incoming party that is an outgoing proprietor', () => {
    assert.deepEqual(
      after(stranger, setIncoming('party 2'), setOutgoing('proprietor 2'), renameParty('party 2', 'tracey prynne')),
      after(stranger, renameParty('party 2', 'tracey prynne')),
    )
  })

  it('takes a proprietor who stays before one who leaves', () => {
    const namesakes = aMatter(['Grace Okafor'], ['Ann Lee', 'Ann Lee'])
    assert.deepEqual(changed(namesakes, setOutgoing('proprietor 1'), renameParty('party 1', 'Ann Lee')), [
      'party 1: Ann Lee, BORROWER = proprietor 2',
      'new party 1: Ann Lee, OUTGOING_PROPRIETOR = proprietor 1',
      'proprietor 1: Ann Lee, outgoing',
    ])
  })

  it('leaves an incoming party incoming under another name where nobody on the register has it', () => {
    assert.deepEqual(changed(stranger, setIncoming('party 2'), renameParty('party 2', 'Grace Bello')), [
      'party 2: Grace Bello, INCOMING_PROPRIETOR = new proprietor 1',
    ])
  })

  it('leaves an incoming party incoming where the only proprietor of its name is another borrower', () => {
    assert.deepEqual(changed(stranger, setIncoming('party 2'), renameParty('party 2', 'William Prynne')), [
      'party 2: William Prynne, INCOMING_PROPRIETOR = new proprietor 1',
    ])
  })

  it('gives nobody the blank name that a register may hold', () => {
    const blank = aMatter(['Grace Okafor'], [person('')])
    assert.deepEqual(changed(blank, setIncoming('party 1'), renameParty('party 1', '- .')), [
      'party 1: - ., INCOMING_PROPRIETOR = new proprietor 1',
    ])
  })

  it('matches two borrowers of one name in their order', () => {
    const namesakes = aMatter(['Ann Lee', 'Grace Okafor', 'Ann Lee'], ['Ann Lee', 'Ann Lee'])
    assert.deepEqual(changed(namesakes, renameParty('party 2', 'Ann Lee')), [
      'party 2: Ann Lee, BORROWER = proprietor 2',
      'party 3: Ann Lee, BORROWER',
    ])
  })

  it('lets as many outgoing namesakes stay as it takes to link the party, and no more', () => {
    const namesakes = aMatter(['Ann Lee', 'Grace Okafor'], ['Amy Hill', 'Amy Marsh', 'Amy Dale'])
    const leaving = after(
      namesakes,
      ...[1, 2, 3].flatMap((n) => [setOutgoing(`proprietor ${n}`), renameOutgoing(`proprietor ${n}`, 'Ann Lee')]),
    )
    assert.deepEqual(summaryOf(after(leaving, renameParty('party 2', 'Ann Lee'))), [
      'party 1: Ann Lee, BORROWER = proprietor 1',
      'party 2: Ann Lee, BORROWER = proprietor 2',
      'new party 5: Ann Lee, OUTGOING_PROPRIETOR = proprietor 3',
      'proprietor 1: Ann Lee',
      'proprietor 2: Ann Lee',
      'proprietor 3: Ann Lee, outgoing',
    ])
  })

  it('links an organisation by its number first, then by its name', () => {
    const companies = aMatter([company('Hill plc')], [company('Turner Ltd'), company('Marsh Ltd', '02294747')])
    assert.deepEqual(changed(companies, renameParty('party 1', company('Turner Limited', '2294747'))), [
      'party 1: Turner Limited 02294747, BORROWER = proprietor 2',
    ])
    assert.deepEqual(changed(companies, renameParty('party 1', company('The Turner Limited', '1'))), [
      'party 1: The Turner Limited 00000001, BORROWER = proprietor 1',
    ])
    const leaving = after(companies, setOutgoing('proprietor 1'), setOutgoing('proprietor 2'))
    assert.deepEqual(changed(leaving, renameParty('party 1', TURNER)), [
      'party 1: Turner Holdings Limited 02294747, BORROWER = proprietor 2',
      'proprietor 2: Marsh Ltd 02294747',
    ])
  })

  it('renames before any title search, and links nobody', () => {
    assert.deepEqual(changed(beforeSearch(couple), renameParty('party 2', 'Tracey Prynne')), [
      'party 2: Tracey Prynne, BORROWER',
    ])
  })
})

describe('SET_AS_INCOMING_PROPRIETOR', () => {
  it('makes an unmatched party incoming, with a new proprietorId', () => {
    assert.deepEqual(changed(stranger, setIncoming('party 2')), [
      'party 2: Grace Okafor, INCOMING_PROPRIETOR = new proprietor 1',
    ])
  })

  it('takes an organisation: a landlord moves a property into a company', () => {
    const landlord = aMatter([TURNER], ['Alan Turner'])
    const moved = after(landlord, setIncoming('party 1'), setOutgoing('proprietor 1'))
    assert.deepEqual([validationStatusOf(moved), proprietorCount(moved)], ['VALID', 1])
  })

  it('brings a title to four proprietors and no further', () => {
    const four = aMatter(['A A', 'B B', 'C C', 'D D'], ['E E', 'F F'])
    const full = after(four, setIncoming('party 1'), setIncoming('party 2'))
    assert.equal(proprietorCount(full), 4)
    assert.equal(refused(full, setIncoming('party 3')), 'conflict partyId')
    assert.equal(proprietorCount(after(full, setOutgoing('proprietor 1'), setIncoming('party 3'))), 4)
  })
})

describe('SET_AS_OUTGOING_PROPRIETOR', () => {
  it('adds a party that stands for the proprietor who leaves', () => {
    assert.deepEqual(changed(stranger, setOutgoing('proprietor 2')), [
      'new party 1: Tracey Prynne, OUTGOING_PROPRIETOR = proprietor 2',
      'proprietor 2: Tracey Prynne, outgoing',
    ])
  })

  it('takes an organisation too, under its present name', () => {
    const mixed = aMatter(['Alan Turner'], ['Alan Turner', TURNER])
    const renamed = after(mixed, renameProprietor('proprietor 2', company('Turner Group Ltd')))
    assert.deepEqual(changed(renamed, setOutgoing('proprietor 2')), [
      'new party 1: Turner Group Ltd, OUTGOING_PROPRIETOR = proprietor 2',
      'proprietor 2: Turner Group Ltd, outgoing',
    ])
  })

  it('lets the last proprietor go: fewer than one is refused only when the case is approved', () => {
    const alone = after(aMatter(['Grace Okafor'], ['Ann Lee']), setOutgoing('proprietor 1'))
    assert.equal(proprietorCount(alone), 0)
  })
})

describe('UPDATE_PROPRIETOR_NAME', () => {
  it('gives a proprietor its present name, keeps the registered one, and matches again', () => {
    const wed = after(aMatter(['Maria Bueno'], ['Maria Santos']), renameProprietor('proprietor 1', 'Maria Bueno'))
    assert.deepEqual(summaryOf(wed)[0], 'party 1: Maria Bueno, BORROWER = proprietor 1')
    assert.deepEqual(wed.proprietors[0]?.registeredName, person('Maria Santos'))
  })

  it('takes a match away', () => {
    const next = after(aMatter(['Maria Santos'], ['Maria Santos']), renameProprietor('proprietor 1', 'Maria Bueno'))
    assert.deepEqual(summaryOf(next)[0], 'party 1: Maria Santos, BORROWER')
  })

  it('leaves an incoming party of that name incoming, so that setting the name back restores it', () => {
    const incoming = after(stranger, setIncoming('party 2'))
    const action = renameProprietor('proprietor 2', 'Grace Okafor')
    assert.deepEqual(changed(incoming, action), ['proprietor 2: Grace Okafor'])
    assert.deepEqual(after(incoming, action, renameProprietor('proprietor 2', 'Tracey Prynne')), incoming)
  })
})

describe('UPDATE_OUTGOING_PROPRIETOR_NAME', () => {
  it('renames the outgoing proprietor and its party, and keeps the registered name', () => {
    const leaving = after(stranger, setOutgoing('proprietor 2'))
    const next = after(leaving, renameOutgoing('proprietor 2', 'Tracey Bell'))
    assert.deepEqual(summaryOf(next).slice(2), [
      'new party 1: Tracey Bell, OUTGOING_PROPRIETOR = proprietor 2',
      'proprietor 1: William Prynne',
      'proprietor 2: Tracey Bell, outgoing',
    ])
    assert.deepEqual(next.proprietors[1]?.registeredName, person('Tracey Prynne'))
  })

  it('leaves it outgoing where a borrower has its new name', () => {
    const leaving = after(stranger, setOutgoing('proprietor 2'))
    assert.deepEqual(changed(leaving, renameOutgoing('proprietor 2', 'Grace Okafor')), [
      'new party 1: Grace Okafor, OUTGOING_PROPRIETOR = proprietor 2',
      'proprietor 2: Grace Okafor, outgoing',
    ])
  })
})
