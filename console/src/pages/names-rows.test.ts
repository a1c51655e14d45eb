import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answersOf } from './names-answers.ts'
import { namesIn } from './names-parts.ts'
import { type Details, type Party, type Proprietor, type Row, rowsOf } from './names-rows.ts'

const detailsOf = (name: string): Details => {
  const words = name.split(' ')
  if (words.at(-1) === 'Ltd') return { organisationName: name }
  return { forenames: words.slice(0, -1).join(' '), surname: words.at(-1) ?? '' }
}
const typeOf = (name: string) => (name.endsWith('Ltd') ? 'ORGANISATION' : 'INDIVIDUAL')

const aParty = (name: string, facts: Partial<Party> = {}): Party => ({
  partyId: `party ${name}`,
  type: typeOf(name),
  role: 'BORROWER',
  partyDetails: detailsOf(name),
  match: 'MISMATCH',
  similarity: [],
  ...facts,
})

const linked = (name: string, role: Party['role'] = 'BORROWER') =>
  aParty(name, { match: 'MATCH', role, proprietorId: `proprietor of ${name}` })

type Reason = Party['similarity'][number]['reasons'][number]

const near = (name: string, ...others: [string, ...Reason[]][]) =>
  aParty(name, { similarity: others.map(([other, ...reasons]) => ({ proprietorId: other, reasons })) })

const aProprietor = (name: string): Proprietor => ({
  proprietorId: name,
  type: typeOf(name),
  proprietorDetails: detailsOf(name),
  registeredDetails: detailsOf(name),
})

const rows = (parties: Party[], proprietors: string[], register: string[] = []): Row[] =>
  rowsOf(
    { borrowersValidationStatus: 'INVALID', parties, unmatchedProprietors: proprietors.map(aProprietor) },
    register.map(detailsOf),
  )

const shown = (all: readonly Row[]) =>
  all.map((row) => {
    const [order, register] = namesIn(row, 'both')
    return `${row.kind}: ${order} | ${register}${row.kind === 'differs' ? ` (${row.reasons.join(', ')})` : ''}`
  })

describe('who is opposite whom', () => {
  const SMYTHE = near('Ann Smith', ['Anne Smythe', 'DISTANCE', 'SOUND'], ['Ann Smyth', 'DISTANCE'])
  for (const [what, all, expected] of [
    [
      'a linked party, by the register’s own spelling',
      rows([linked('William Prynne')], [], ['WILLIAM PRYNNE']),
      ['agrees: William Prynne | WILLIAM PRYNNE'],
    ],
    [
      'a similar one, whatever the order',
      rows(
        [near('Tracey Prinne', ['Tracey Prynne', 'DISTANCE', 'SOUND']), aParty('Ada Dove')],
        ['Max Moor', 'Tracey Prynne'],
      ),
      [
        'differs: Tracey Prinne | Tracey Prynne (one letter differs, sounds alike)',
        'differs: Ada Dove | Max Moor (nothing in common)',
      ],
    ],
    [
      'the nearest of two, one to one',
      rows([SMYTHE, near('Ann Smyth', ['Anne Smythe', 'SOUND'])], ['Anne Smythe', 'Ann Smyth']),
      ['differs: Ann Smith | Ann Smyth (one letter differs)', 'differs: Ann Smyth | Anne Smythe (sounds alike)'],
    ],
    [
      'nobody, where several are left over',
      rows([aParty('Ada Dove'), aParty('Bea Dove')], ['Max Moor', 'Kim Moor']),
      [
        'order only: Ada Dove | ',
        'order only: Bea Dove | ',
        'register only:  | Max Moor',
        'register only:  | Kim Moor',
      ],
    ],
    [
      'no company opposite a person',
      rows([aParty('Alan Turner')], ['Turner Ltd']),
      ['order only: Alan Turner | ', 'register only:  | Turner Ltd'],
    ],
    [
      'words in another order',
      rows([near('Bueno Maria', ['Maria Bueno', 'DISTANCE'])], ['Maria Bueno']),
      ['differs: Bueno Maria | Maria Bueno (the same words in another order)'],
    ],
    [
      'an agreeing surname',
      rows([aParty('Bill Prynne', { matchDetail: { surname: 'MATCH', forenames: 'NO_MATCH' } })], ['William Prynne']),
      ['differs: Bill Prynne | William Prynne (the surname agrees, the forenames do not)'],
    ],
    [
      'agreeing forenames',
      rows([aParty('Maria Bueno')], ['Maria Santos']),
      ['differs: Maria Bueno | Maria Santos (the forenames agree, the surname does not)'],
    ],
    [
      'one whose name changed, by what is left of the register',
      rows([linked('Maria Bueno'), linked('Ada Dove')], [], ['Ada Dove', 'Maria Santos']),
      ['agrees: Maria Bueno | Maria Santos', 'agrees: Ada Dove | Ada Dove'],
    ],
    [
      'who comes and who leaves',
      rows([linked('Oliver Hart', 'INCOMING_PROPRIETOR'), linked('Ada Dove', 'OUTGOING_PROPRIETOR')], [], ['Ada Dove']),
      ['comes: Oliver Hart | ', 'leaves:  | Ada Dove'],
    ],
  ] as const) {
    it(`is ${what}`, () => assert.deepEqual(shown(all), expected))
  }
})

describe('the answers to a row', () => {
  const facts = { isApproved: false, hasTransfer: false, isRestricted: false }
  const only = (all: Row[]) => all[0] ?? assert.fail()
  const pair = only(rows([near('Tracey Prinne', ['Tracey Prynne', 'DISTANCE'])], ['Tracey Prynne']))
  const sent = (row: Row) =>
    answersOf(row, facts).map(({ steps }) =>
      steps.map((step) => ('patch' in step ? step.patch.action : `undo ${step.removeRoleOf}`)).join(', '),
    )

  it('are three for a pair, and who leaves goes first', () =>
    assert.deepEqual(sent(pair), [
      'UPDATE_PARTY_NAME',
      'UPDATE_PROPRIETOR_NAME',
      'SET_AS_OUTGOING_PROPRIETOR, SET_AS_INCOMING_PROPRIETOR',
    ]))

  it('name each proprietor whom a borrower without a counterpart may be', () => {
    const [lone = assert.fail(), , left = assert.fail()] = rows(
      [aParty('Ada Dove'), aParty('Bea Dove')],
      ['Max Moor', 'Kim Moor'],
    )
    assert.deepEqual(
      answersOf(lone, facts).map(({ label }) => label),
      [
        'The order is wrong: the borrower is Max Moor',
        'The name changed: Max Moor is now called Ada Dove',
        'The order is wrong: the borrower is Kim Moor',
        'The name changed: Kim Moor is now called Ada Dove',
        'Ada Dove is not on the register and becomes an owner',
      ],
    )
    assert.deepEqual(sent(left), ['SET_AS_OUTGOING_PROPRIETOR'])
  })

  it('undo a role and a change of name, and nothing where the names agree', () => {
    assert.deepEqual(sent(only(rows([linked('Ada Dove', 'INCOMING_PROPRIETOR')], []))), ['undo party Ada Dove'])
    assert.deepEqual(sent(only(rows([linked('Maria Bueno')], [], ['Maria Santos']))), ['UPDATE_PROPRIETOR_NAME'])
    assert.deepEqual(sent(only(rows([linked('Maria Bueno')], [], ['MARIA BUENO']))), [])
    assert.deepEqual(sent(only(rows([linked('Maria Bueno')], []))), [])
  })

  for (const [given, expected] of [
    [{}, [/^Tracey Prynne leaves/, /transfer of the whole property is added/, /^Tracey Prinne comes/]],
    [{ isRestricted: true }, [/leaves/, /transfer/, /cancel the restriction/, /comes/]],
    [
      { hasTransfer: true, isApproved: true },
      [/leaves/, /The transfer in the case covers it/, /comes/, /approval of the case is withdrawn/],
    ],
  ] as const) {
    it(`say what they change, given ${JSON.stringify(given)}`, () => {
      const { effects = [] } = answersOf(pair, { ...facts, ...given })[2] ?? {}
      assert.equal(effects.length, expected.length, effects.join('\n'))
      for (const [index, pattern] of expected.entries()) assert.match(effects[index] ?? '', pattern)
    })
  }
})
