// Long because the shapes that several features share are in one place.
import { Id } from '../events/ids.ts'
import {
  Answer,
  CalendarDate,
  Choice,
  Closed,
  NameText,
  type Static,
  Text,
  Timestamp,
  Type,
} from '../platform/http/schema.ts'
import { PARTY_ROLES } from './ownership.ts'
import {
  CASE_STATUSES,
  SEARCH_STATUSES,
  TASKS,
  type Task,
  VALIDATION_STATUSES,
  WAIT_REASONS,
  WHOS,
  type Who,
  WORKSPACE_STATUSES,
} from './status.ts'

// Shapes on the wire that several features share. Names and limits are those of the interface.

const POSTCODE =
  '^(GIR0AA|(?:[A-PR-UWYZ](?:[0-9]{1,2}|[A-HK-Y][0-9]{1,2}|[0-9][A-HJKPSTUW]|[A-HK-Y][0-9][ABEHMNPRVWXY]))[0-9][ABD-HJLNP-UW-Z]{2})$'
export const TITLE_NUMBER = '^[A-Z]{0,3}[0-9]{1,6}[ZT]?$'

export const Postcode = (options: object = {}) =>
  Type.String({
    pattern: POSTCODE,
    'x-transform': 'squeeze',
    'x-expected': 'a postcode of the United Kingdom such as EX4 3AN',
    description: 'Of the United Kingdom. Case and spaces do not matter.',
    examples: ['EX43AN'],
    ...options,
  })

const OUTSIDE = 'AB|DD|DG|EH|FK|G|HS|IV|KA|KW|KY|ML|PA|PH|ZE|BT|JE|GY|IM'

/** Of a property in England or Wales. The areas that lie wholly outside are refused; `TD` lies on both sides. */
export const PropertyPostcode = Postcode({
  pattern: POSTCODE.replace('^', `^(?!(?:${OUTSIDE})[0-9])`),
  'x-expected': 'a postcode in England or Wales such as EX4 3AN',
  description: 'Not of an area that lies wholly outside England and Wales. Case and spaces do not matter.',
})

/** As it is stored and shown, however it was written. */
export const PostcodeAnswer = (example: string) =>
  Type.String({
    pattern: '^[A-Z][A-Z0-9]{1,3} [0-9][A-Z]{2}$',
    description: 'In upper case, with one space.',
    examples: [example],
  })

export const TitleNumber = (options: object = {}) =>
  Type.String({
    pattern: TITLE_NUMBER,
    'x-transform': 'squeeze',
    'x-expected': 'a title number such as ST500678',
    description: 'The registry’s number of the title, in upper case and without spaces.',
    examples: ['ST500678'],
    ...options,
  })

/** The parts of an address and their lengths, shared with those of law firms. */
export const addressParts = {
  flat: Type.Optional(Text(1, 30, { description: 'Flat or unit within the building.', examples: ['Flat 2'] })),
  name: Type.Optional(Text(1, 50, { description: 'Of a building that has one.', examples: ['Rose Cottage'] })),
  number: Type.Optional(Text(1, 10, { description: 'In the street. May hold letters.', examples: ['83'] })),
  locality: Type.Optional(
    Text(1, 60, { description: 'A part of the town, or a village near it.', examples: ['St Thomas'] }),
  ),
  town: Text(1, 30, { description: 'The post town.', examples: ['Exeter'] }),
  county: Type.Optional(Text(1, 60, { description: 'Where one is usual.', examples: ['Devon'] })),
}

export const Street = Text(1, 60, { description: 'Without the number.', examples: ['Fore Street'] })

const addressForServiceParts = { ...addressParts, street: Street }
const OF_SERVICE =
  'Where the registry writes to a new proprietor, in the United Kingdom. HM Land Registry needs it of each who takes in ' +
  'a transfer, also of those who stay.'

export const AddressForServiceRequest = Closed(
  { ...addressForServiceParts, postcode: Postcode() },
  { title: 'AddressForServiceRequest', description: OF_SERVICE },
)

export const AddressForService = Answer(
  'AddressForService',
  { ...addressForServiceParts, postcode: PostcodeAnswer('EX4 3AN') },
  { description: OF_SERVICE },
)

export type AddressForService = Static<typeof AddressForService>

export const IndividualDetails = Closed(
  {
    forenames: NameText(1, 90, { description: 'All of them, with spaces between.', examples: ['William'] }),
    surname: NameText(1, 50, { description: 'The family name.', examples: ['Prynne'] }),
  },
  { title: 'IndividualDetails', description: 'The name of a person.' },
)

export const OrganisationDetails = Closed(
  {
    organisationName: NameText(1, 160, {
      description: 'In full; `Ltd` and `Limited` match each other.',
      examples: ['Turner Holdings Limited'],
    }),
    registrationNumber: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9]{1,8}$',
        'x-transform': 'trim',
        'x-expected': '1 to 8 letters and digits',
        description: 'At Companies House. Digits alone are filled up with zeros on the left to 8.',
        examples: ['02294747'],
      }),
    ),
  },
  { title: 'OrganisationDetails', description: 'The name of an organisation, and its number where it has one.' },
)

const By = (description: string) => Type.String({ minLength: 1, description, examples: ['case.handler@example.com'] })

export const AuditAttributes = Answer(
  'AuditAttributes',
  {
    createdAt: Timestamp({ description: 'When it came into being.' }),
    createdBy: By('The person of `X-Acting-User`, else the client id; `system` for the service itself.'),
    lastModifiedAt: Timestamp({ description: 'At first the same as `createdAt`.' }),
    lastModifiedBy: By('Who changed it last, named as in `createdBy`.'),
  },
  { description: 'Who made it and who changed it last, and when.' },
)

const IndividualDetailsAnswer = Answer(
  'IndividualDetailsAnswer',
  {
    forenames: Type.String({
      description: 'Empty where the register holds one name only. May be longer than a request takes.',
      examples: ['William'],
    }),
    surname: Type.String({
      minLength: 1,
      description: 'The family name. From the register it may be longer than a request takes.',
      examples: ['Prynne'],
    }),
  },
  { description: 'The name of a person.' },
)

const OrganisationDetailsAnswer = Answer(
  'OrganisationDetailsAnswer',
  {
    organisationName: Type.String({
      minLength: 1,
      description: 'As it was given, or as the register has it.',
      examples: ['Turner Holdings Limited'],
    }),
    registrationNumber: Type.Optional(
      Type.String({ description: 'In upper case; digits alone filled up to 8.', examples: ['02294747'] }),
    ),
  },
  { description: 'The name of an organisation, and its number where it has one.' },
)

/** The wire shows the type beside the details, so the details themselves have no type. */
export const PartyDetailsAnswer = (description: string) =>
  Type.Unsafe<Static<typeof IndividualDetailsAnswer> | Static<typeof OrganisationDetailsAnswer>>({
    oneOf: [IndividualDetailsAnswer, OrganisationDetailsAnswer],
    description,
  })

export const PartyType = Choice(['INDIVIDUAL', 'ORGANISATION'], {
  description: 'Whether the details are those of a person or of an organisation.',
})

/** The borrowers and the proprietors of a title. */
export const PARTIES_MAX = 100

/** A party, wherever one is shown. */
export const partyParts = {
  partyId: Id.partyId,
  type: PartyType,
  role: Choice(PARTY_ROLES, {
    description: 'A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`.',
  }),
  partyDetails: PartyDetailsAnswer('The present name, by `type`.'),
  addressForService: Type.Optional(AddressForService),
}

export const WorkspaceStatus = Choice(WORKSPACE_STATUSES, {
  description: '`PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all.',
})

/** Who can have the turn, in words. */
const WHO_WORDS: Record<Who, string> = {
  LAW_FIRM: 'the law firm',
  LENDER: 'the lender',
  REGISTRY: 'the registry',
  BANK: 'the bank',
  CLOCK: 'nobody until completion day',
  SERVICE: 'this service',
}

const TASK_WORDS: Record<Task, string> = {
  GIVE_TITLE: 'give a title number',
  RECONCILE: 'compare the names with the register',
  REPRESENT: 'say who acts for a party',
  COMPLETE_CASE: 'complete the deed and the documents',
  CONFIRM: 'confirm, or correct, what a rule asks about',
  APPROVE_CASE: 'approve the case',
  DRAW_UP_MONEY: 'complete the settlement schedule',
  APPROVE_MONEY: 'approve the settlement schedule',
  NEW_DATE: 'set another completion date, because the day has passed',
  FIX_ACCOUNT: 'see to the payment that the bank refused',
  PAY: 'make and confirm the payments',
  MAKE_EFFECTIVE: 'make the digital deed effective',
  ANSWER_REQUISITION: 'answer the requisition',
  FIX_AND_APPROVE: 'correct the rejected case and approve it again',
  LODGE_DISCHARGE: 'approve the discharge, unless the former lender sends it',
  AUTHORISE: 'authorise the funds',
  COMPLETION: 'the money moves in the morning of completion day',
  WAIT: 'an answer or a result is awaited',
}

const inWords = (words: Record<string, string>): string =>
  Object.entries(words)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}`)
    .join('; ')

export const WhoName = Choice(WHOS, { description: `Who must act. ${inWords(WHO_WORDS)}.` })
export const TaskName = Choice(TASKS, { description: `What must be done. ${inWords(TASK_WORDS)}.` })

export const Turn = Answer(
  'Turn',
  {
    who: WhoName,
    task: TaskName,
    since: Timestamp({ description: 'Since when it is their turn, for this.' }),
    dueAt: Type.Optional(
      Timestamp({
        description:
          'By when it must be done, where there is a date. To prepare, approve and authorise: 17:00 in London on the ' +
          'business day before completion.',
      }),
    ),
    registryWait: Type.Optional(
      Choice(WAIT_REASONS, {
        description:
          'Why the registry, whose turn it is, could not be reached. The `registryWait` of the case says the same in a sentence.',
      }),
    ),
    also: Type.Array(Answer('TurnBeside', { who: WhoName, task: TaskName }), {
      maxItems: TASKS.length,
      description: 'What else can be done meanwhile: case and money can be prepared side by side.',
    }),
  },
  { description: 'Whose turn it is. Left out once the workspace has ended.' },
)

export type Turn = Static<typeof Turn>

export const CaseStatus = Choice(CASE_STATUSES, {
  description:
    '`PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. ' +
    '`DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own.',
})

export const SearchStatus = Choice(SEARCH_STATUSES, {
  description: '`INITIATED` is queued; `PENDING` means that the registry was asked and has not answered.',
})

export const ValidationStatus = Choice(VALIDATION_STATUSES, {
  description:
    'How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; ' +
    'else they differ in type, in number, or (`INVALID`) in name alone.',
})

export const Tenure = Choice(['FREEHOLD', 'LEASEHOLD'], {
  description: 'As the register has it; left out before the search succeeded.',
})

export type Tenure = Static<typeof Tenure>

export const CompletionDate = CalendarDate({
  description: 'The London day on which the money moves. Left out until the schedule has one.',
})

export const TransactionType = Type.Literal('REMORTGAGE', { description: 'The only one so far.' })

export const WorkspaceReferenceId = (options: object = {}) =>
  Type.String({
    pattern: '^LW[0-9]{9,}$',
    description: 'For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once.',
    examples: ['LW264170938'],
    ...options,
  })

// As the interface has it: `{` is among them and `}` is not.
const madeOf = (whitespace: string) => `[a-zA-Z0-9/\\-\\\\?:().,'#=!"%&*<>;@{+${whitespace}]*$`
const REFERENCE_NUMBER = `^${madeOf('\\s')}`
// Without control characters and line breaks, and not blank.
const PAYMENT_REFERENCE = `^(?!\\s+$)${madeOf(' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000')}`
const PUNCTUATION = `/ - \\ ? : ( ) . , ' # = ! " % & * < > ; @ { +`

const shortReference =
  (pattern: string, expected: string, maxLength = 18) =>
  (description: string) =>
    Type.String({
      minLength: 1,
      maxLength,
      pattern,
      'x-expected': expected,
      description,
      examples: ['MH/2026-118'],
    })

/** A law firm's own number of a matter. */
export const ReferenceNumber = shortReference(
  REFERENCE_NUMBER,
  `made of letters, digits, whitespace and ${PUNCTUATION}`,
)

const OF_PAYMENTS = `made of letters, digits, spaces and ${PUNCTUATION}, without line breaks, and not blank`

/** What goes with a payment. */
export const PaymentReference = shortReference(PAYMENT_REFERENCE, OF_PAYMENTS)

/** The bank's own name for a payment. */
export const BankReference = shortReference(PAYMENT_REFERENCE, OF_PAYMENTS, 35)
