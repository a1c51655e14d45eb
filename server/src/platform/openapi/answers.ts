import type { RouteOptions } from 'fastify'
import { errorBody } from '../errors.ts'
import { ErrorBody } from '../http/schema.ts'
import type { Components } from './components.ts'
import { answerHeadersFor, otherStatusesFor, SENT_BY_THE_CONNECTION, type Traits } from './conventions.ts'
import type { Answered, Header, JsonSchema, Ref } from './document.ts'
import { mediaTypeOf } from './media-type.ts'
import { OTHER_ANSWERS } from './refusals.ts'
import { errorsOfWrongRequest } from './wrong-request.ts'

const ERROR_BODY = ErrorBody as object as JsonSchema

type Context = { route: RouteOptions; traits: Traits; components: Components }

/** Every response of an operation: the good ones that it declares, and the others by convention. */
export function answersOf(context: Context): Record<string, Answered | Ref> {
  const declared = Object.keys(declaredBy(context.route)).filter((status) => /^\d{3}$/.test(status))
  const good = declared.filter(isGood)
  if (good.length === 0) throw new Error('Its response needs a good status, such as 200.')
  const others = [
    ...declared.filter((status) => !isGood(status)),
    ...Object.keys(context.route.config?.refusals ?? {}),
    ...otherStatusesFor(context.traits).map(String),
  ]
  return Object.fromEntries([
    ...others.map((status) => [status, otherAnswer(Number(status), context)]),
    ...good.map((status) => [status, goodAnswer(Number(status), context)]),
  ])
}

const isGood = (status: string) => status.startsWith('2')

const declaredBy = ({ schema }: RouteOptions) => (schema?.response ?? {}) as Record<string, JsonSchema>

const GOOD_ANSWERS: Record<number, string> = {
  201: 'Created.',
  202: 'Accepted and stored durably; the rest is done in the background.',
  204: 'Done. There is no body.',
}

function goodAnswer(status: number, context: Context, like = status): Answered {
  const { route, traits, components } = context
  const schema = declaredBy(route)[like] ?? {}
  const isEmpty = status === 204 || schema.type === 'null'
  const { produces: types = [JSON_TYPE], streams } = route.config ?? {}
  const example = route.schema?.examples?.[like]
  return {
    description: schema.description ?? GOOD_ANSWERS[status] ?? (traits.method === 'get' ? 'Found.' : 'Done.'),
    headers: { ...headersOf(status, context), ...ownHeaders(route.schema?.answerHeaders ?? {}, components) },
    ...(!isEmpty && {
      content: {
        ...Object.fromEntries(types.map((type) => [type, mediaTypeOf(type, schema, example, components)])),
        ...(streams && { [streams]: { schema: { type: 'string', description: 'Each event as it is published.' } } }),
      },
    }),
  }
}

const JSON_TYPE = 'application/json'

function otherAnswer(status: number, context: Context): Answered | Ref {
  const { route, traits, components } = context
  const convention = OTHER_ANSWERS[status]
  if (status === 206) return { ...goodAnswer(206, context, 200), description: convention?.description ?? '' }
  const sentence = route.config?.refusals?.[status]
  const shape = SENT_BY_THE_CONNECTION.has(status) ? undefined : shapeOf(status, route)
  const example = route.schema?.examples?.[status] ?? (status === 400 && !shape ? wrongExample(route) : undefined)
  if (!sentence && !shape && example === undefined) return sharedAnswer(status, context)
  const isAlsoOfTheKey = status === 409 && traits.isScoped && traits.method === 'post'
  const conventional = shape?.description ?? convention?.description ?? 'Refused.'
  const made = shape ? undefined : errorBody([{ message: (sentence ?? conventional).replaceAll('`', '') }])
  return {
    description: isAlsoOfTheKey && sentence ? `${sentence} Or: ${conventional}` : (sentence ?? conventional),
    headers: headersOf(status, context),
    content: { [JSON_TYPE]: mediaTypeOf(JSON_TYPE, shape ?? ERROR_BODY, example ?? made, components) },
  }
}

const wrongExample = (route: RouteOptions) => errorBody(errorsOfWrongRequest(route))

// `4xx` and `5xx` mean all statuses of their class, for an operation that has its own error body.
function shapeOf(status: number, route: RouteOptions): JsonSchema | undefined {
  const declared = declaredBy(route)
  return declared[status] ?? declared[`${Math.floor(status / 100)}xx`]
}

function sharedAnswer(status: number, { components }: Context): Ref {
  const convention = OTHER_ANSWERS[status]
  if (!convention) throw new Error(`Its status ${status} needs a description.`)
  const { name, description, errors } = convention
  return components.response(name, () => ({
    description,
    headers: headersOf(status, { traits: ANY_SCOPED, components }),
    ...(errors && { content: { [JSON_TYPE]: mediaTypeOf(JSON_TYPE, ERROR_BODY, errorBody(errors), components) } }),
  }))
}

const ANY_SCOPED: Traits = {
  method: 'get',
  isScoped: true,
  hasPathParameter: true,
  hasQuery: true,
  hasBody: false,
  hasEtag: true,
  isDownload: true,
  hasRanges: true,
}

const headersOf = (status: number, { traits, components }: Pick<Context, 'traits' | 'components'>) =>
  Object.fromEntries(answerHeadersFor(status, traits).map((name) => [name, components.answerHeader(name)]))

function ownHeaders(sentences: Readonly<Record<string, string>>, components: Components): Record<string, Header | Ref> {
  return Object.fromEntries(
    Object.entries(sentences).map(([name, description]) => [
      name,
      name === 'ETag' ? components.answerHeader(name) : { description, schema: { type: 'string' } },
    ]),
  )
}
