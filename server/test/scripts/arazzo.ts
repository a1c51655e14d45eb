import { FIRM, LENDER, type Sent } from '../../src/sandbox/send.ts'
import type { Reached, Scenario, ScenarioStep } from '../../src/scenarios/scenarios.ts'

// Requests and answers as an Arazzo file: which operation, with what, and what of an answer goes into a later request.

export type Recorded = { step: ScenarioStep; sent: Sent }

type Operation = { operationId: string; summary: string; parameters?: { $ref?: string }[] }
export type Document = { paths: Record<string, Record<string, Operation>> }

type Output = { stepId: string; answer: unknown; outputs: Record<string, string> }

const CLIENTS: Readonly<Record<string, string>> = { [LENDER]: 'lender', [FIRM]: 'firm' }
/** Only these come from an answer. Words, such as a type, are the caller's own. */
const FROM_AN_ANSWER = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d)(T.*)?$/

export function arazzoOf(scenario: Scenario, recorded: readonly Recorded[], document: Document): string {
  const earlier: Output[] = []
  const ids = new Map<string, number>()
  const steps = recorded.map(({ step, sent }, index) => {
    const { operation, path } = operationOf(document, sent)
    const count = (ids.get(operation.operationId) ?? 0) + 1
    ids.set(operation.operationId, count)
    const isFirst = recorded[index - 1]?.step !== step
    const isLast = recorded[index + 1]?.step !== step
    const parameters = [...headersOf(sent, operation), ...path, ...queryOf(sent)]
    const outputs: Record<string, string> = {}
    const made = {
      stepId: kebab(operation.operationId) + (count > 1 ? `-${count}` : ''),
      description: isFirst ? step.description : `${operation.summary}.`,
      operationId: operation.operationId,
      ...(parameters.length > 0 && { parameters: withReferences(parameters, earlier) }),
      ...(sent.body && { requestBody: bodyOf(sent.body, earlier) }),
      successCriteria: [
        `$statusCode == ${sent.status}`,
        ...(isLast && step.reaches ? [reached(step.reaches)] : []),
      ].map((condition) => ({ condition })),
      outputs,
    }
    earlier.push({ stepId: made.stepId, answer: sent.answer, outputs })
    return made
  })
  const file = {
    arazzo: '1.0.1',
    info: { title: scenario.title, summary: scenario.description, version: '1.0.0' },
    sourceDescriptions: [
      { name: 'lodgeway', type: 'openapi', url: '../openapi.json', 'x-serverUrl': 'http://127.0.0.1:8080' },
    ],
    workflows: [
      {
        workflowId: scenario.name,
        summary: `${scenario.title}.`,
        description: `${scenario.description} On ${scenario.titleNumber}.`,
        steps: [...Object.keys(CLIENTS).map(signIn), ...steps].map(withoutEmpty),
      },
    ],
    components: {
      parameters: Object.fromEntries([
        ...Object.values(CLIENTS).map((name) => [
          `as-${name}`,
          header('Authorization', `Bearer {$steps.sign-in-${name}.outputs.token}`),
        ]),
        ['by-editor', header('X-Acting-User', 'sam.reid@harbour.example')],
      ]),
    },
  }
  return `# Made by \`npm run workflows\` from server/src/scenarios/scenarios.ts.\n${linesOf(file).join('\n')}\n`
}

const header = (name: string, value: string) => ({ name, in: 'header', value })

const signIn = (clientId: string) => ({
  stepId: `sign-in-${CLIENTS[clientId]}`,
  description: `A token of the ${CLIENTS[clientId] === 'firm' ? 'law firm' : 'lender'}.`,
  operationId: 'issueToken',
  requestBody: {
    contentType: 'application/x-www-form-urlencoded',
    payload: { grant_type: 'client_credentials', client_id: clientId, client_secret: `${clientId}-secret` },
  },
  successCriteria: [{ condition: '$statusCode == 200' }],
  outputs: { token: '$response.body#/access_token' },
})

const reached = (reaches: Reached) =>
  'status' in reaches
    ? `$response.body#/status == '${reaches.status}'`
    : `$response.body#/records/0/lodgementCaseStatus == '${reaches.caseStatus}'`

type Parameter = { reference: string } | { name: string; in: string; value: string | number }

function operationOf({ paths }: Document, { method, path }: Sent): { operation: Operation; path: Parameter[] } {
  const [pathname = ''] = path.split('?')
  for (const [template, item] of Object.entries(paths)) {
    const operation = item[method.toLowerCase()]
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const found = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)
    if (operation && found)
      return { operation, path: names.map((name, index) => ({ name, in: 'path', value: found[index + 1] ?? '' })) }
  }
  throw new Error(`There is no operation for ${method} ${path}.`)
}

const queryOf = ({ path }: Sent): Parameter[] =>
  [...new URL(path, 'http://localhost').searchParams].map(([name, value]) => ({
    name,
    in: 'query',
    value: /^\d+$/.test(value) ? Number(value) : value,
  }))

function headersOf({ as }: Sent, { parameters = [] }: Operation): Parameter[] {
  const takesActor = parameters.some(({ $ref }) => $ref?.endsWith('/X-Acting-User'))
  return [
    ...(as ? [{ reference: `$components.parameters.as-${CLIENTS[as]}` }] : []),
    ...(as === FIRM && takesActor ? [{ reference: '$components.parameters.by-editor' }] : []),
  ]
}

function bodyOf(body: object, earlier: readonly Output[]): object {
  if (!(body instanceof FormData)) return { payload: withReferences(body, earlier) }
  const fields = [...body].map(([name, value]) => [name, typeof value === 'string' ? value : "$file('./sample.pdf')"])
  return { contentType: 'multipart/form-data', payload: Object.fromEntries(fields) }
}

/** The same with each value that an earlier answer had replaced by a reference to it. */
function withReferences<T>(value: T, earlier: readonly Output[]): T {
  if (Array.isArray(value)) return value.map((one) => withReferences(one, earlier)) as T
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReferences(one, earlier)])) as T
  const [, wanted, rest = ''] = (typeof value === 'string' && FROM_AN_ANSWER.exec(value)) || []
  if (wanted === undefined) return value
  for (const { stepId, answer, outputs } of earlier) {
    const pointer = pointerTo(wanted, answer)
    if (pointer === undefined) continue
    const name = pointer.slice(1).replaceAll('/', '-')
    outputs[name] = `$response.body#${pointer}`
    const reference = `$steps.${stepId}.outputs.${name}`
    return (rest ? `{${reference}}${rest}` : reference) as T
  }
  return value
}

function pointerTo(wanted: string, answer: unknown): string | undefined {
  if (answer === wanted) return ''
  if (typeof answer !== 'object' || answer === null) return undefined
  for (const [name, value] of Object.entries(answer)) {
    const below = pointerTo(wanted, value)
    if (below !== undefined) return `/${name}${below}`
  }
  return undefined
}

const withoutEmpty = <T extends { outputs: object }>({ outputs, ...step }: T) =>
  Object.keys(outputs).length > 0 ? { ...step, outputs } : step

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function linesOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((one) => linesOf(one).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)))
  if (typeof value !== 'object' || value === null) return [scalarOf(value)]
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'object' ? [`${name}:`, ...linesOf(one).map((line) => `  ${line}`)] : [`${name}: ${scalarOf(one)}`],
  )
}

/** Text in double quotes is the same in JSON and YAML. */
const scalarOf = (value: unknown) =>
  typeof value === 'string' &&
  /^[A-Za-z$][\w $./#=,'-]*$/.test(value) &&
  !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value)

/** Reads what `arazzoOf` has written, which is a small part of YAML. */
export const readWorkflow = (file: string): unknown => nodeOf(file.trimEnd().split('\n').slice(1))

function nodeOf(lines: readonly string[]): unknown {
  const [first = ''] = lines
  if (first.startsWith('- ')) return groupsOf(lines, /^- /).map((group) => nodeOf(group.map((line) => line.slice(2))))
  if (!KEY.test(first)) return first === '' ? {} : readScalar(first)
  const entries = groupsOf(lines, KEY).map(([head = '', ...below]) => {
    const [, name = '', scalar] = KEY.exec(head) ?? []
    return [name, scalar === undefined ? nodeOf(below.map((line) => line.slice(2))) : readScalar(scalar)]
  })
  return Object.fromEntries(entries)
}

const KEY = /^([\w-]+):(?: (.+))?$/

/** A group for each line that begins one, with the lines up to the next. */
function groupsOf(lines: readonly string[], begins: RegExp): string[][] {
  const groups: string[][] = []
  for (const line of lines) {
    if (begins.test(line)) groups.push([line])
    else groups.at(-1)?.push(line)
  }
  return groups
}

const readScalar = (text: string): unknown => (/^["\d-]|^(true|false|null)$/.test(text) ? JSON.parse(text) : text)
