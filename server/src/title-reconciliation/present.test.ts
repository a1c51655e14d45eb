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
import { presentChange, presentReconciliation } from './present.ts'
import type { Action } from './rules.ts'

const TURNER = company('Turner Holdings Limited', '02294747')
const MATCHED = { surname: 'MATCH', forenames: 'MATCH' }
const SKIPPED = { surname: 'SKIPPED', forenames: 'SKIPPED' }
const prynnes = aMatter(['William Prynne', 'Tracey Prinne'], ['William Prynne', 'Tracey Prynne'])

const partyOf = (matter: Ownership, number = 1) => presentReconciliation(matter).parties[number - 1]

describe('presentReconciliation', () => {
  it('shows a matter that fits in these words and no more', () => {
    assert.deepEqual(presentReconciliation(aMatter(['William Prynne'], ['WILLIAM Prynne'])), {
      borrowersValidationStatus: 'VALID',
      parties: [
        {
          partyId: 'party 1',
          type: 'INDIVIDUAL',
          role: 'BORROWER',
          partyDetails: { forenames: 'William', surname: 'Prynne' },
          match: 'MATCH',
          proprietorId: 'proprietor 1',
          matchDetail: MATCHED,
          similarity: [],
        },
      ],
      unmatchedProprietors: [],
    })
  })

  it('is PENDING for everybody before a search, with neither matchDetail nor proprietorId', () => {
    assert.deepEqual(presentReconciliation(beforeSearch(aMatter(['William Prynne']))), {
      borrowersValidationStatus: 'PENDING',
      parties: [
        {
          partyId: 'party 1',
          type: 'INDIVIDUAL',
          role: 'BORROWER',
          partyDetails: { forenames: 'William', surname: 'Prynne' },
          match: 'PENDING',
          similarity: [],
        },
      ],
      unmatchedProprietors: [],
    })
    const shown = partyOf(beforeSearch(aMatter([TURNER])))
    assert.deepEqual(shown, {
      partyId: 'party 1',
      type: 'ORGANISATION',
      role: 'BORROWER',
      partyDetails: { organisationName: 'Turner Holdings Limited', registrationNumber: '02294747' },
      match: 'PENDING',
      similarity: [],
    })
  })

  it('shows a near name with its reasons and never accepts it', () => {
    const { parties, unmatchedProprietors } = presentReconciliation(prynnes)
    assert.deepEqual(parties[1], {
      partyId: 'party 2',
      type: 'INDIVIDUAL',
      role: 'BORROWER',
      partyDetails: { forenames: 'Tracey', surname: 'Prinne' },
      match: 'MISMATCH',
      matchDetail: { surname: 'PARTIAL_MATCH', forenames: 'MATCH' },
      similarity: [{ proprietorId: 'proprietor 2', reasons: ['DISTANCE', 'SOUND'] }],
    })
    assert.deepEqual(unmatchedProprietors, [
      {
        proprietorId: 'proprietor 2',
        type: 'INDIVIDUAL',
        proprietorDetails: { forenames: 'Tracey', surname: 'Prynne' },
        registeredDetails: { forenames: 'Tracey', surname: 'Prynne' },
      },
    ])
  })

  it('has no reason for a nickname, and compares it with the nearest proprietor all the same', () => {
    const shown = partyOf(aMatter(['Bill Prynne'], ['Grace Okafor', 'William Prynne']))
    assert.deepEqual([shown?.match, shown?.similarity], ['MISMATCH', []])
    assert.deepEqual(shown?.matchDetail, { surname: 'MATCH', forenames: 'NO_MATCH' })
  })

  it('compares with nobody but the unmatched: a proprietor who is matched or leaves is left out', () => {
    const near = aMatter(['Tracey Prinne', 'Tracey Prynne'], ['Tracey Prynne'])
    assert.deepEqual([partyOf(near)?.similarity, partyOf(near)?.matchDetail], [[], SKIPPED])
    const leaving = after(aMatter(['Tracey Prinne'], ['Tracey Prynne']), setOutgoing('proprietor 1'))
    assert.deepEqual([partyOf(leaving)?.similarity, partyOf(leaving)?.matchDetail], [[], SKIPPED])
  })

  it('names every unmatched proprietor who is near, and none who is not', () => {
    const matter = aMatter(['Tracey Prinne'], ['Tracy Prynne', 'Grace Okafor', 'Tracey Prynne', TURNER])
    assert.deepEqual(partyOf(matter)?.similarity, [
      { proprietorId: 'proprietor 1', reasons: ['DISTANCE', 'SOUND'] },
      { proprietorId: 'proprietor 3', reasons: ['DISTANCE', 'SOUND'] },
    ])
  })

  it('knows the other names that the register gives', () => {
    const matter = aMatter(['Ivy Sedgemoor'], ['Ivy Marsh'])
    const aliased = {
      ...matter,
      proprietors: matter.proprietors.map((one) => ({ ...one, aliases: ['Ivy Sedgemoor'] })),
    }
    assert.deepEqual(partyOf(aliased)?.similarity, [{ proprietorId: 'proprietor 1', reasons: ['ALIAS'] }])
    assert.equal(partyOf(aliased)?.match, 'MISMATCH')
  })

  it('leaves matchDetail out for organisations, whether they match or not', () => {
    const fits = partyOf(aMatter([TURNER], [TURNER]))
    assert.ok(fits && !('matchDetail' in fits))
    assert.deepEqual([fits.match, fits.proprietorId], ['MATCH', 'proprietor 1'])
    const near = partyOf(aMatter([company('Turner Holding Ltd')], [TURNER, 'Alan Turner']))
    assert.ok(near && !('matchDetail' in near))
    assert.deepEqual(
      [near.match, near.similarity],
      ['MISMATCH', [{ proprietorId: 'proprietor 1', reasons: ['DISTANCE'] }]],
    )
  })

  it('has nobody to compare a person with where only companies are unmatched', () => {
    const shown = partyOf(aMatter(['Alan Turner'], [TURNER]))
    assert.deepEqual([shown?.match, shown?.matchDetail, shown?.similarity], ['MISMATCH', SKIPPED, []])
  })

  it('shows who comes as matched, under a proprietorId of its own', () => {
    assert.deepEqual(partyOf(after(prynnes, setIncoming('party 2')), 2), {
      partyId: 'party 2',
      type: 'INDIVIDUAL',
      role: 'INCOMING_PROPRIETOR',
      partyDetails: { forenames: 'Tracey', surname: 'Prinne' },
      match: 'MATCH',
      proprietorId: 'new proprietor 1',
      matchDetail: MATCHED,
      similarity: [],
    })
  })

  it('shows who goes as a party, and no longer as an unmatched proprietor', () => {
    const { parties, unmatchedProprietors } = presentReconciliation(after(prynnes, setOutgoing('proprietor 2')))
    assert.deepEqual(parties[2], {
      partyId: 'new party 1',
      type: 'INDIVIDUAL',
      role: 'OUTGOING_PROPRIETOR',
      partyDetails: { forenames: 'Tracey', surname: 'Prynne' },
      match: 'MATCH',
      proprietorId: 'proprietor 2',
      matchDetail: MATCHED,
      similarity: [],
    })
    assert.deepEqual(unmatchedProprietors, [])
  })

  it('shows the present name of an unmatched proprietor beside the registered one', () => {
    const renamed = after(prynnes, renameProprietor('proprietor 2', 'Tracey Bell'))
    const [shown] = presentReconciliation(renamed).unmatchedProprietors
    assert.deepEqual(shown?.proprietorDetails, { forenames: 'Tracey', surname: 'Bell' })
    assert.deepEqual(shown?.registeredDetails, { forenames: 'Tracey', surname: 'Prynne' })
  })
})

describe('presentChange', () => {
  const tracey = { forenames: 'Tracey', surname: 'Bell' }
  const leaving = after(prynnes, setOutgoing('proprietor 2'))
  const answer = (matter: Ownership, action: Action) => presentChange(after(matter, action), action)

  for (const [action, matter, expected] of [
    [renameParty('party 2', 'Tracey Bell'), prynnes, { partyId: 'party 2', type: 'INDIVIDUAL', partyDetails: tracey }],
    [
      setIncoming('party 2'),
      prynnes,
      { partyId: 'party 2', proprietorId: 'new proprietor 1', titleStatus: 'INCOMING' },
    ],
    [
      setOutgoing('proprietor 2'),
      prynnes,
      {
        proprietorId: 'proprietor 2',
        partyId: 'new party 1',
        titleStatus: 'OUTGOING',
        type: 'INDIVIDUAL',
        proprietorDetails: { forenames: 'Tracey', surname: 'Prynne' },
      },
    ],
    [
      renameProprietor('proprietor 2', 'Tracey Bell'),
      prynnes,
      { proprietorId: 'proprietor 2', type: 'INDIVIDUAL', proprietorDetails: tracey },
    ],
    [
      renameOutgoing('proprietor 2', 'Tracey Bell'),
      leaving,
      { proprietorId: 'proprietor 2', type: 'INDIVIDUAL', proprietorDetails: tracey },
    ],
  ] as const) {
    it(`answers ${action.action} with what it changed`, () => {
      assert.deepEqual(answer(matter, action), { action: action.action, ...expected })
    })
  }

  it('gives a registration number as it is kept: in eight characters', () => {
    const action = renameParty('party 1', company('Turner Ltd', '77'))
    assert.deepEqual(answer(aMatter([TURNER]), action).partyDetails, {
      organisationName: 'Turner Ltd',
      registrationNumber: '00000077',
    })
  })
})
