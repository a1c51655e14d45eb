import { Answer, Closed, Text, Timestamp, Type, Uuid } from '../platform/http/schema.ts'

// Shapes on the wire that several features share. Names and limits are those of the interface.

const POSTCODE =
  '^(GIR0AA|(?:[A-PR-UWYZ](?:[0-9]{1,2}|[A-HK-Y][0-9]{1,2}|[0-9][A-HJKPSTUW]|[A-HK-Y][0-9][ABEHMNPRVWXY]))[0-9][ABD-HJLNP-UW-Z]{2})$'
export const TITLE_NUMBER = '^[A-Z]{0,3}[0-9]{1,6}[ZT]?$'

export const Postcode = (options: object = {}) =>
  Type.String({
    pattern: POSTCODE,
    'x-transform': 'squeeze',
    'x-expected': 'a postcode of the United Kingdom such as EX4 3AN',
    examples: ['EX43AN'],
    ...options,
  })

export const TitleNumber = (options: object = {}) =>
  Type.String({
    pattern: TITLE_NUMBER,
    'x-transform': 'squeeze',
    'x-expected': 'a title number such as ST500678',
    examples: ['ST500678'],
    ...options,
  })

/** The parts of an address and their lengths, shared with those of law firms. */
export const addressParts = {
  flat: Type.Optional(Text(1, 30, { examples: ['Flat 2'] })),
  name: Type.Optional(Text(1, 50, { examples: ['Rose Cottage'] })),
  number: Type.Optional(Text(1, 10, { examples: ['83'] })),
  locality: Type.Optional(Text(1, 60, { examples: ['St Thomas'] })),
  town: Text(1, 30, { examples: ['Exeter'] }),
  county: Type.Optional(Text(1, 60, { examples: ['Devon'] })),
}

export const Street = Text(1, 60, { examples: ['Fore Street'] })

export const IndividualDetails = Closed(
  { forenames: Text(1, 90, { examples: ['William'] }), surname: Text(1, 50, { examples: ['Prynne'] }) },
  { title: 'IndividualDetails' },
)

export const OrganisationDetails = Closed(
  {
    organisationName: Text(1, 160, { examples: ['Turner Holdings Limited'] }),
    registrationNumber: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9]{1,8}$',
        'x-transform': 'trim',
        'x-expected': '1 to 8 letters and digits',
        examples: ['02294747'],
      }),
    ),
  },
  { title: 'OrganisationDetails' },
)

export const AuditAttributes = Answer('AuditAttributes', {
  createdAt: Timestamp(),
  createdBy: Type.String({ examples: ['case.handler@example.com'] }),
  lastModifiedAt: Timestamp(),
  lastModifiedBy: Type.String({ examples: ['case.handler@example.com'] }),
})

export const PartyDetailsAnswer = Type.Union([
  Answer('IndividualDetailsAnswer', {
    forenames: Type.String({ examples: ['William'] }),
    surname: Type.String({ examples: ['Prynne'] }),
  }),
  Answer('OrganisationDetailsAnswer', {
    organisationName: Type.String({ examples: ['Turner Holdings Limited'] }),
    registrationNumber: Type.Optional(Type.String({ examples: ['02294747'] })),
  }),
])

export const REPRESENTED_BY = ['PLATFORM_SUBSCRIBER_LAW_FIRM', 'EXTERNAL_LAW_FIRM', 'NOT_REPRESENTED'] as const
export const VERIFICATIONS = ['LAW_FIRM_CERTIFIED', 'IDENTITY_EVIDENCE'] as const

export const ExternalLawFirm = Answer('ExternalLawFirm', {
  name: Type.String({ examples: ['Marsh & Hill Solicitors'] }),
  address: Answer('FirmAddress', {
    ...addressParts,
    street: Street,
    postcode: Type.String({ examples: ['TA1 4AS'] }),
  }),
})

/** Who represents a party, wherever that is shown. */
export const representationParts = {
  representationId: Uuid(),
  representedBy: Type.Enum([...REPRESENTED_BY]),
  subscriberId: Type.Optional(Uuid({ description: 'Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.' })),
  externalLawFirm: Type.Optional(ExternalLawFirm),
  referenceNumber: Type.Optional(
    Type.String({ description: 'Only for `EXTERNAL_LAW_FIRM`.', examples: ['MH/2026-118'] }),
  ),
  verificationOfIdentity: Type.Optional(Type.Enum([...VERIFICATIONS], { description: 'Only for `NOT_REPRESENTED`.' })),
}

// As the interface has it: `{` is among them and `}` is not.
const REFERENCE_NUMBER = '^[a-zA-Z0-9/\\-\\\\?:().,\'#=!"%&*<>;@{+\\s]*$'

/** What may stand beside a payment or in another firm's books. */
export const ReferenceNumber = () =>
  Type.String({
    minLength: 1,
    maxLength: 18,
    pattern: REFERENCE_NUMBER,
    'x-expected': `made of letters, digits, whitespace and / - \\ ? : ( ) . , ' # = ! " % & * < > ; @ { +`,
    examples: ['MH/2026-118'],
  })

export const PARTY_ROLES = ['BORROWER', 'INCOMING_PROPRIETOR', 'OUTGOING_PROPRIETOR'] as const
export const SEARCH_STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'] as const
export const VALIDATION_STATUSES = ['PENDING', 'VALID', 'TYPE_INVALID', 'COUNT_INVALID', 'INVALID'] as const
