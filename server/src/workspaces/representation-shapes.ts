import { Id } from '../events/ids.ts'
import { Answer, Choice, Type, Uuid } from '../platform/http/schema.ts'
import { addressParts, PostcodeAnswer, ReferenceNumber, Street } from './shapes.ts'

// Who acts for a party, as a workspace and its representations show it.

export const REPRESENTED_BY = ['PLATFORM_SUBSCRIBER_LAW_FIRM', 'EXTERNAL_LAW_FIRM', 'NOT_REPRESENTED'] as const
export const VERIFICATIONS = ['LAW_FIRM_CERTIFIED', 'IDENTITY_EVIDENCE'] as const

export type RepresentedBy = (typeof REPRESENTED_BY)[number]
export type Verification = (typeof VERIFICATIONS)[number]

export const FIRM_NAME_CHARACTERS_MAX = 160

export const ExternalLawFirm = Answer(
  'ExternalLawFirm',
  {
    name: Type.String({
      minLength: 1,
      maxLength: FIRM_NAME_CHARACTERS_MAX,
      description: 'As the law firm that acts here gave it.',
      examples: ['Marsh & Hill Solicitors'],
    }),
    address: Answer(
      'FirmAddress',
      { ...addressParts, street: Street, postcode: PostcodeAnswer('TA1 4AS') },
      { description: 'The address of the firm, as it is sent to the registry.' },
    ),
  },
  { description: 'A law firm outside the platform. Only for `EXTERNAL_LAW_FIRM`.' },
)

export const RepresentedBy = Choice(REPRESENTED_BY, {
  description: 'A law firm on the platform, another one, or nobody.',
})

export const Verification = Choice(VERIFICATIONS, {
  description: 'How the identity of the party is verified. Only for `NOT_REPRESENTED`.',
})

/** Who represents a party, wherever that is shown. */
export const representationParts = {
  representationId: Id.representationId,
  representedBy: RepresentedBy,
  subscriberId: Type.Optional(Uuid({ description: 'The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.' })),
  externalLawFirm: Type.Optional(ExternalLawFirm),
  referenceNumber: Type.Optional(ReferenceNumber('What the firm files it under. Left out for `NOT_REPRESENTED`.')),
  verificationOfIdentity: Type.Optional(Verification),
}
