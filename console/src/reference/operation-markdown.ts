import { curlOf, typescriptOf } from './code.ts'
import type { Answered, JsonSchema, MediaType, OpenApiDocument, Parameter, Ref } from './document.ts'
import { componentName, fieldsOf, follow, resolve, variantsOf } from './fields.ts'
import { GUIDE_PAGES, type Placed } from './groups.ts'
import { aboutOf, callersOf, mediaOf, scopesOf } from './operation.ts'
import { limitWords, typeWords, valuesOf } from './schema.ts'

/** One operation as Markdown, with the facts that the reference shows. The document's first server is in its links. */
export function operationMarkdown(document: OpenApiDocument, { method, path, operation }: Placed): string {
  const { operationId, summary, parameters = [], requestBody, responses, tags = [] } = operation
  const [scopes, base] = [scopesOf(operation).map(code), document.servers[0]?.url ?? '']
  const page = GUIDE_PAGES[tags[0] ?? '']
  const answers = Object.entries(responses)
  const parts = [
    `# ${summary}`,
    `${code(operationId)}: ${code(`${method.toUpperCase()} ${path}`)}`,
    scopes.length > 0 ? `Scope: ${scopes.join(' or ')}, for ${callersOf(operation)}.` : 'Open: no token needed.',
    aboutOf(operation),
    parameters.length > 0 && '## Parameters',
    list(parameters.map((one) => parameterLine(resolve<Parameter>(one, document.components.parameters)))),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => [
      `## Request body: ${type}`,
      ...bodyLists(document, schema),
    ]),
    '## Answers',
    ...answers.filter(isGood).flatMap(([status, answer]) => goodAnswer(document, status, answer)),
    '### Others',
    list(answers.filter((one) => !isGood(one)).map(([status, answer]) => answerLine(document, status, answer))),
    '## Examples',
    block('sh', curlOf(document, method, path, operation)),
    block('ts', typescriptOf(document, operation)),
    ...answers.filter(isGood).flatMap(([status, answer]) => examples(`Answer ${status}`, mediaOf(answer))),
    ...examples('Answer 400 to a wrong request', mediaOf(responses['400'])),
    '## See also',
    list([
      page && `[The guide on this](${base}/docs/guide/${page}.md)`,
      `[What to do about each error](${base}/docs/guide/errors.md)`,
      `[All operations](${base}/llms.txt)`,
    ]),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const isGood = ([status]: readonly [string, unknown]) => status.startsWith('2')
const code = (text: string) => `\`${text}\``
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
const list = (items: readonly (string | undefined)[]) =>
  items
    .filter((item) => item !== undefined)
    .map((item) => `- ${item.replaceAll(/\s*\n\s*/g, ' ')}`)
    .join('\n')

const parameterLine = ({ name, in: place, required, description, schema }: Parameter) =>
  line(name, `${typeWords(schema, String)}, in ${place}`, required, schema, description)

function line(name: string, type: string, isRequired: boolean, schema: JsonSchema, description = ''): string {
  const values = valuesOf(schema)
  const limits = limitWords(schema)
  const about = [
    description,
    values.length > 0 && `Values: ${values.map(code).join(', ')}.`,
    limits && `Limits: ${limits}.`,
  ]
  return `${code(name)} (${type}, ${isRequired ? 'required' : 'optional'}) ${about.filter(Boolean).join(' ')}`.trim()
}

/** The fields of a body: one list, or one for each branch of a union. */
function bodyLists({ components: { schemas } }: OpenApiDocument, body: JsonSchema): string[] {
  return variantsOf(body, schemas).flatMap(({ picks, schema: shape }) => {
    const lines = fieldsOf(shape, schemas).map(({ path, schema, isRequired, within }) => {
      const known = follow(schema, schemas)
      const about = line(path, typeWords(schema, String), isRequired, known, known.description)
      return within ? `${about} Only in ${within}.` : about
    })
    return [...(picks.length > 0 ? [`With ${picks.map(code).join(' and ')}:`] : []), list(lines)]
  })
}

function goodAnswer(document: OpenApiDocument, status: string, answer: Answered | Ref): string[] {
  const { description, content = {} } = resolve(answer, document.components.responses)
  const media = content['application/json']
  const title = [`### ${status}`, ...Object.keys(content)].join(' ')
  return [title, description, ...(media ? bodyLists(document, media.schema) : [])]
}

function answerLine(document: OpenApiDocument, status: string, answer: Answered | Ref): string {
  const { description } = resolve(answer, document.components.responses)
  return `${'$ref' in answer ? `${status} ${componentName(answer)}` : status}: ${description}`
}

function examples(title: string, media: MediaType | undefined): string[] {
  const { example, examples: named = {} } = media ?? {}
  const values = example === undefined ? Object.values(named).map(({ value }) => value) : [example]
  return values.flatMap((value) => [`${title}:`, block('json', JSON.stringify(value, null, 1))])
}
