import { onBusinessDay } from '../jurisdiction/business-days.ts'
import { londonDate } from '../jurisdiction/london.ts'
import type { RegistryDocument } from '../registry/documents.ts'
import type { Lodgement, Notice, NoticeContent } from '../registry/lodgement.ts'
import type { OfficialCopy, Register } from '../registry/register.ts'
import { registerAfter } from './registration.ts'
import { WORLD } from './world.ts'

/** A lodgement as the simulator remembers it. */
export type Received = {
  lodgement: Lodgement
  /** The number of lodgements received so far, including this one. */
  number: number
  receivedAt: Date
  /** The first one of the same customer reference: itself, unless it is a resubmission. */
  first: Lodgement
  firstReceivedAt: Date
  isFirst: boolean
  /** When each of its requisitions was answered, by the registry's id of it. */
  replies: Readonly<Record<string, string>>
}

type Step = NoticeContent & { at: Date; documents?: RegistryDocument[] }

const DAY_MS = 86_400_000
const after = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS)

/**
 * All notices of the simulator about a lodgement, in order, as far as they are decided: an open requisition is the last
 * until there is an answer. They depend only on what is stored, so every caller gets the same at any time.
 */
export const courseOf = (received: Received): Notice[] =>
  stepsOf(received).map((step, index): Notice => ({ ...step, noticeId: `notice-${index + 1}` }))

function stepsOf(received: Received): Step[] {
  const { lodgement, receivedAt } = received
  const at = after(receivedAt, 1)
  const holding = WORLD.get(lodgement.titleNumber)
  if (holding?.kind !== 'registered') return [refused(at, 'titleNumber', 'There is no such title to register in.')]
  if (lodgement.applications.every(({ type }) => type === 'DISCHARGE')) return [discharged(received, holding.register)]
  if (isReferenceRefused(received)) {
    const reason = `The registry has no approved form of deed with the reference ${deedReferenceOf(lodgement)} on record.`
    return [refused(at, 'mortgageDeedReference', reason)]
  }
  const accepted: Step = {
    kind: 'accepted',
    at,
    registryReference: registryReferenceOf(received.number),
    priorityAt: at,
  }
  return [accepted, ...stepsAfterAcceptance(received, holding.register, at)]
}

/** The scenario of a title number applies to a workspace's first submission; a later one succeeds. */
function stepsAfterAcceptance({ lodgement, isFirst, replies }: Received, register: Register, at: Date): Step[] {
  const datesOf = (moment: Date) => ({ appliedOn: londonDate(at), registeredOn: londonDate(moment) })
  const copyAt = (moment: Date, completion: 'in full' | 'early'): OfficialCopy => ({
    register: registerAfter(structuredClone(register), lodgement, datesOf(moment), completion),
    officialCopyAt: moment,
  })
  const completed = (moment: Date): Step => ({
    kind: 'completed',
    at: moment,
    early: false,
    copy: copyAt(moment, 'in full'),
  })
  switch (isFirst ? lodgement.titleNumber : '') {
    case 'ST500679': {
      const early = registeredAt(at)
      const late = after(early, 14)
      return [
        { kind: 'completed', at: early, early: true, copy: copyAt(early, 'early') },
        { kind: 'discharged', at: late, copy: dischargedCopy(copyAt(early, 'in full'), late) },
      ]
    }
    case 'RQ100001': {
      const asked: Step = { kind: 'requisitioned', at: after(at, 2), registryId: 'RQ-1', points: POINTS }
      const answeredAt = replies['RQ-1']
      if (answeredAt === undefined) return [asked]
      const decidedAt = after(new Date(answeredAt), 1)
      return [asked, { kind: 'answer accepted', at: decidedAt, registryId: 'RQ-1' }, completed(after(decidedAt, 5))]
    }
    case 'LT100001': {
      const [registryId, end] = ['LT-1', registeredAt(at)]
      const letter: Step = { kind: 'requisitioned', at: after(at, 2), registryId, points: [], documents: [LETTER] }
      return [letter, { kind: 'answer accepted', at: end, registryId }, completed(end)]
    }
    case 'CX100001':
      return [{ kind: 'cancelled', at: after(at, 2), reason: 'The deed that was lodged describes another property.' }]
    default:
      return [completed(registeredAt(at))]
  }
}

/** The discharge that an early completion left out, lodged by itself. */
function discharged({ receivedAt, first, firstReceivedAt }: Received, register: Register): Step {
  const at = after(receivedAt, 5)
  const dates = { appliedOn: londonDate(after(firstReceivedAt, 1)), registeredOn: londonDate(at) }
  const completed = registerAfter(structuredClone(register), first, dates, 'in full')
  return { kind: 'discharged', at, copy: { register: completed, officialCopyAt: at } }
}

/** The only time that depends on business days. */
const registeredAt = (acceptedAt: Date): Date => onBusinessDay(after(acceptedAt, 5))

const LETTER: RegistryDocument = { documentId: 'LT-1', kind: 'LETTER', name: 'Letter of the registry' }

const POINTS = [
  'The deed does not show who witnessed the signature of the borrower. Please lodge a copy on which it can be read.',
  'Please confirm the address for service of the borrower.',
]

/** The entries of the registration stay. Only the old charge is removed, which begins a new edition. */
const dischargedCopy = ({ register }: OfficialCopy, at: Date): OfficialCopy => ({
  register: { ...register, editionDate: londonDate(at) },
  officialCopyAt: at,
})

const refused = (at: Date, field: string, reason: string): Step => ({
  kind: 'validation failed',
  at,
  faults: [{ field, reason }],
})

const isReferenceRefused = ({ lodgement, first }: Received): boolean =>
  lodgement.titleNumber === 'VF100001' && deedReferenceOf(lodgement) === deedReferenceOf(first)

function deedReferenceOf({ applications }: Lodgement): string {
  const deed = applications.find(({ type }) => type === 'MORTGAGE_DEED')
  return deed?.type === 'MORTGAGE_DEED' ? deed.deedReference : ''
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
const POSITIONS = [LETTERS, DIGITS, DIGITS, DIGITS, LETTERS, LETTERS, LETTERS]
const REFERENCES = POSITIONS.reduce((count, characters) => count * characters.length, 1)
const SHUFFLE = 201_326_611n // a prime that does not divide REFERENCES, so no two numbers below it collide

/** A letter, three digits and three letters, like the registry's references. */
export function registryReferenceOf(number: number): string {
  let rank = Number((BigInt(number) * SHUFFLE) % BigInt(REFERENCES))
  return POSITIONS.map((characters) => {
    const character = characters.charAt(rank % characters.length)
    rank = Math.floor(rank / characters.length)
    return character
  }).join('')
}
