import { SUBSCRIBER_KINDS } from '../auth/store.ts'
import { Id } from '../events/ids.ts'
import { Answer, Choice, Page, PageQuery, Text, Type } from '../platform/http/schema.ts'

const Kind = (description: string) => Choice(SUBSCRIBER_KINDS, { description })

const DirectoryEntry = Answer('DirectoryEntry', {
  subscriberId: Id.subscriberId,
  name: Type.String({
    minLength: 1,
    description: 'The list is in this order.',
    examples: ['Harbour Conveyancing LLP'],
  }),
  kind: Kind('What kind of organisation it is.'),
})

export const DirectoryPage = Page('DirectoryPage', DirectoryEntry)

export const DirectoryQuery = Type.Object({
  ...PageQuery,
  kind: Type.Optional(Kind('Only those of this kind.')),
  name: Type.Optional(
    Text(1, 160, {
      description:
        'Only those whose name, or the rest of it from some word on, begins with this. Case does not matter.',
      examples: ['harb'],
    }),
  ),
})
