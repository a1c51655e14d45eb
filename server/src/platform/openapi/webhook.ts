import type { Components } from './components.ts'
import type { JsonSchema, Operation, Parameter } from './document.ts'
import { mediaTypeOf } from './media-type.ts'

/** What a receiver gets for one type of event, and what it must answer if that matters. */
export function webhookOf(
  type: string,
  payload: JsonSchema,
  answer: JsonSchema | undefined,
  components: Components,
): Operation {
  return {
    operationId: `on${type
      .toLowerCase()
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')}`,
    summary: type,
    ...(payload.description !== undefined && { description: payload.description }),
    security: [],
    parameters: SIGNED_BY,
    requestBody: {
      required: true,
      content: { 'application/json': mediaTypeOf('application/json', payload, undefined, components) },
    },
    responses: {
      '2XX': {
        description: 'Accepted. After any other answer, or none in time, it is sent again.',
        ...(answer && { content: { 'text/plain': mediaTypeOf('text/plain', answer, undefined, components) } }),
      },
    },
  }
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const SIGNED_BY = [
  header(
    'webhook-id',
    'The same in every attempt, so that you can recognise a repeat.',
    'a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46',
  ),
  header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970.', '1773480600'),
  header(
    'webhook-signature',
    'Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]
