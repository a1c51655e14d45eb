import { SUBSCRIBER_KINDS } from '../auth/store.ts'
import { Id } from '../events/ids.ts'
import { Answer, Choice, Closed, Sentence, Text, Timestamp, Type, When, Without } from '../platform/http/schema.ts'

export const MoveClockRequest = Closed(
  {
    advance: Type.Optional(
      Type.String({ 'x-contract': { format: 'duration' }, description: 'An ISO 8601 duration.', examples: ['P3D'] }),
    ),
    set: Type.Optional(Timestamp({ description: 'A time that is not in the past.' })),
    to: Type.Optional(
      Choice(['next'], {
        description: 'To the next thing that becomes due for a workspace, or else for the service itself.',
      }),
    ),
  },
  {
    title: 'MoveClockRequest',
    'x-contract': When(
      { required: ['advance'] },
      Without('set', 'to'),
      When({ required: ['set'] }, Without('to'), { required: ['to'] }),
    ),
    examples: [{ advance: 'P3D' }],
  },
)

const Now = Timestamp({ description: 'The time that the clock of the service now shows.' })

export const ClockAnswer = Answer('ClockAnswer', { now: Now })

export const DUE_MAX = 100

const DueRecord = Answer('DueRecord', {
  at: Timestamp({ description: 'When it becomes due, by the clock of the service.' }),
  job: Type.String({ minLength: 1, description: 'The name of the job.', examples: ['settlement.pay'] }),
  workspaceId: Type.Optional(Id.workspaceId),
  reference: Type.Optional(
    Type.String({ description: 'The reference of the workspace.', minLength: 1, examples: ['NBS-1020'] }),
  ),
  message: Type.Optional(Sentence('What it does for the workspace.', 'The money moves.')),
})

export const MoveClockAnswer = Answer('MoveClockAnswer', {
  now: Now,
  ran: Type.Integer({ minimum: 0, description: 'How many jobs were run.', examples: [4] }),
  due: Type.Array(DueRecord, {
    maxItems: DUE_MAX,
    description: `What became due, in order: the first ${DUE_MAX}. Each may have started other jobs.`,
  }),
})

export const DueAnswer = Answer('DueAnswer', {
  records: Type.Array(DueRecord, { maxItems: DUE_MAX, description: `At most ${DUE_MAX}.` }),
})

export const NewSubscriberRequest = Closed(
  {
    kind: Choice(SUBSCRIBER_KINDS, { description: 'The kind decides what the subscriber may do.' }),
    name: Text(1, 160, {
      description: 'Shown to the other participants of a workspace.',
      examples: ['Westbrook Bank plc'],
    }),
  },
  { title: 'NewSubscriberRequest' },
)

export const NewSubscriberAnswer = Answer('NewSubscriberAnswer', {
  subscriberId: Id.subscriberId,
  clientId: Type.String({ minLength: 1, description: 'Use it to request a token.' }),
  clientSecret: Type.String({ minLength: 1, description: 'Shown once.' }),
})

const Enabled = Type.Boolean({ description: 'While true, every operation of partners answers 503.' })

export const MaintenanceRequest = Closed({ enabled: Enabled }, { title: 'MaintenanceRequest' })

export const MaintenanceAnswer = Answer('MaintenanceAnswer', { enabled: Enabled })

export const ResetAnswer = Answer('ResetAnswer', { now: Now })
