import { Answer, Closed, Text, Timestamp, Type, Uuid } from '../platform/http/schema.ts'

export const MoveClockRequest = Closed(
  {
    advance: Type.Optional(Type.String({ description: 'An ISO 8601 duration.', examples: ['P3D'] })),
    set: Type.Optional(Timestamp({ description: 'A time that is not past.' })),
  },
  { title: 'MoveClockRequest', examples: [{ advance: 'P3D' }] },
)

export const ClockAnswer = Answer('ClockAnswer', { now: Timestamp() })

export const MoveClockAnswer = Answer('MoveClockAnswer', {
  now: Timestamp(),
  ran: Type.Integer({ description: 'How many jobs were run on the way.', examples: [4] }),
})

export const NewSubscriberRequest = Closed(
  { kind: Type.Enum(['LENDER', 'LAW_FIRM']), name: Text(1, 160, { examples: ['Westbrook Bank plc'] }) },
  { title: 'NewSubscriberRequest' },
)

export const NewSubscriberAnswer = Answer('NewSubscriberAnswer', {
  subscriberId: Uuid(),
  clientId: Type.String(),
  clientSecret: Type.String({ description: 'Shown once.' }),
})

export const MaintenanceRequest = Closed({ enabled: Type.Boolean() }, { title: 'MaintenanceRequest' })

export const MaintenanceAnswer = Answer('MaintenanceAnswer', { enabled: Type.Boolean() })

export const ResetAnswer = Answer('ResetAnswer', { now: Timestamp() })
