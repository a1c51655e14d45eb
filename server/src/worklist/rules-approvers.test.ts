import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approversOf, type Colleague } from './rules-approvers.ts'

const person = (name: string, isApprover: boolean): Colleague => ({
  name,
  email: `${name.toLowerCase()}@harbour.example`,
  isApprover,
})
const [SAM, JO, ALEX, VIC] = [person('Sam', false), person('Jo', true), person('Alex', true), person('Vic', false)]
const changedBy = { LODGEMENT: [SAM.email, ALEX.email], FINANCIAL: [SAM.email, 'temp@agency.example'] }

const inWords = (facts: Partial<Parameters<typeof approversOf>[1]>) =>
  approversOf([ALEX, JO, SAM, VIC], { kind: 'LAW_FIRM', fourEyes: true, changedBy, ...facts }).map(
    ({ email, name, mayDecide, changed }) => `${name ?? email}: may ${mayDecide}, changed ${changed}`,
  )

describe('who may decide', () => {
  for (const [what, facts, expected] of [
    [
      'leaves out those who changed it',
      {},
      [
        'Alex: may FINANCIAL, changed LODGEMENT',
        'Jo: may LODGEMENT,FINANCIAL, changed ',
        'Sam: may , changed LODGEMENT,FINANCIAL',
        'temp@agency.example: may , changed FINANCIAL',
      ],
    ],
    [
      'is every approver where the firm does not want four eyes',
      { fourEyes: false },
      [
        'Alex: may LODGEMENT,FINANCIAL, changed LODGEMENT',
        'Jo: may LODGEMENT,FINANCIAL, changed ',
        'Sam: may , changed LODGEMENT,FINANCIAL',
        'temp@agency.example: may , changed FINANCIAL',
      ],
    ],
    [
      'shows a lender its own approvers, and nobody of the law firm',
      { kind: 'LENDER' },
      ['Alex: may FUNDS, changed ', 'Jo: may FUNDS, changed '],
    ],
  ] as const) {
    it(what, () => assert.deepEqual(inWords(facts), expected))
  }
})
