import { Id, PathId } from '../events/ids.ts'
import { Answer, Choice, Page, PageQuery, Sentence, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { STATUS_CLASSES } from './rules.ts'
import { ERROR_COUNTS_MAX, FOLLOWED_MAX } from './store.ts'

const Text = (description: string, example: string, maxLength = 255) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

const Method = Text('The method.', 'PATCH', 20)
const Route = Text(
  'The path as this document writes it.',
  '/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation',
)
const Operation = Text('The `operationId` in this document.', 'updateTitleReconciliation')
const Status = Type.Integer({ minimum: 100, maximum: 599, description: 'The status of the answer.', examples: [409] })
const Field = Type.Optional(
  Type.String({ description: 'The field that is wrong, where there is one.', examples: ['partyDetails.surname'] }),
)

export const RequestsQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(Choice(STATUS_CLASSES, { description: 'Only answers of this class.' })),
  operation: Type.Optional(Text('Only this `operationId`.', 'getWorkspace', 100)),
  workspace_id: Type.Optional(PathId.workspace_id),
  client_id: Type.Optional(Text('Only calls of this client.', 'sandbox-law-firm')),
  correlation_id: Type.Optional(
    Text('Only the calls with this `X-Request-Correlation-Id`.', '0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d', 128),
  ),
})

const RequestId = Uuid({ description: 'One call.', examples: ['019a8c3e-7d1b-7c55-8a3c-6d3f2a1b4c5d'] })
export const RequestPath = Type.Object({ request_id: RequestId })

const record = {
  requestId: RequestId,
  at: Timestamp({ description: 'When it arrived, in real time, also in the sandbox.' }),
  method: Method,
  route: Route,
  operation: Operation,
  status: Status,
  durationMs: Type.Integer({ minimum: 0, description: 'Until the answer was sent.', examples: [12] }),
  clientId: Text(
    'The client that called, or `person:` and the id of somebody who used the console.',
    'sandbox-law-firm',
  ),
  person: Type.Optional(Text('In the sandbox: who signed in, or `X-Acting-User`.', 'sam.reid@harbour.example', 16_384)),
  correlationId: Type.Optional(
    Text(
      'Its `X-Request-Correlation-Id`. Outside the sandbox left out if you chose one that is not a UUID or 32 hexadecimal digits.',
      '0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d',
      128,
    ),
  ),
  workspaceId: Type.Optional(Id.workspaceId),
  fault: Type.Optional(Text('What `/sandbox/v1/faults` injected into it.', 'LOST_ANSWER')),
  errors: Type.Array(
    Answer('LoggedError', {
      field: Field,
      message: Type.Optional(
        Sentence('In the sandbox: what is wrong.', 'The workspace has the title ST500678 already.'),
      ),
    }),
    {
      maxItems: 101,
      description:
        'Why it was refused. Outside the sandbox only the fields; a name that is not of the interface is `…` there.',
    },
  ),
}

const LoggedBody = (title: string, description: string) =>
  Answer(
    title,
    {
      text: Type.String({
        maxLength: 16_384,
        description: 'The JSON, without secrets.',
        examples: ['{"titleNumber":"ST500679"}'],
      }),
      isTruncated: Type.Boolean({ description: 'Whether more followed.', examples: [false] }),
    },
    { description },
  )

export const LoggedRequest = Answer('LoggedRequest', record)
export const RequestPage = Page('RequestPage', LoggedRequest)

export const RequestDetail = Answer('RequestDetail', {
  ...record,
  path: Type.Optional(
    Text('In the sandbox: path and query.', '/partner/api/platformconnect/v1/workspaces?status=CREATED', 16_384),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: 10,
      description: 'In the sandbox: the headers that matter for the answer. Never `Authorization`.',
      examples: [{ 'if-match': '"5f1c"' }],
    }),
  ),
  body: Type.Optional(LoggedBody('LoggedRequestBody', 'In the sandbox: what was sent, if it was JSON.')),
  answer: Type.Optional(LoggedBody('LoggedAnswerBody', 'In the sandbox: what was answered, if it was JSON.')),
  followed: Type.Array(
    Answer('RequestConsequence', {
      kind: Choice(['EVENT', 'DELIVERY', 'JOB'], {
        description: 'An event, its delivery to a webhook of yours, or a job that is planned.',
      }),
      id: Type.Optional(Uuid({ description: 'The `eventId` or `notificationId`. A job has none.' })),
      name: Text('The type of the event, or the name of the job.', 'TITLE_DATA_RECEIVED'),
      status: Type.Optional(Text('Of a delivery.', 'DELIVERED', 20)),
      at: Timestamp({ description: 'When it happened or will happen, by the clock of the service.' }),
    }),
    {
      maxItems: FOLLOWED_MAX,
      description: 'What has the same correlation id in the same workspace, oldest first.',
    },
  ),
})

export const RequestErrors = Answer('RequestErrors', {
  records: Type.Array(
    Answer('RequestErrorCount', {
      method: Method,
      route: Route,
      operation: Operation,
      status: Status,
      field: Field,
      count: Type.Integer({ minimum: 1, description: 'In how many errors of answers.', examples: [17] }),
      lastAt: Timestamp({ description: 'The last time.' }),
      lastRequestId: RequestId,
    }),
    { maxItems: ERROR_COUNTS_MAX, description: 'The most frequent first.' },
  ),
})
