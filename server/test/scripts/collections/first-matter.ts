import { type Body, type Field, type Folder, type Item, SAMPLE_FILE } from './model.ts'
import { type Document, type Operation, operationsOf } from './operations.ts'

// The folder with a whole matter, from the file of workflows/ that a scenario was written to.

type Parameter = { name: string; in: string; value: string | number; reference?: string }
type Step = {
  stepId: string
  description: string
  operationId: string
  parameters?: Parameter[]
  requestBody?: { contentType?: string; payload: Record<string, unknown> }
  successCriteria: { condition: string }[]
  outputs?: Record<string, string>
}
export type Workflow = { workflows: { steps: Step[] }[] }

const EDITOR = 'sam.reid@harbour.example'

export function firstMatterOf(document: Document, { workflows }: Workflow, ids: readonly string[]): Folder {
  const steps = (workflows[0]?.steps ?? []).filter(({ operationId }) => operationId !== 'issueToken')
  const digits = String(steps.length).length
  const items = steps.map((step, index): Item => {
    const placed = operationsOf(document).find(({ operation }) => operation.operationId === step.operationId)
    if (!placed) throw new Error(`${step.operationId} is not in openapi.json.`)
    const { operation, method, path } = placed
    const number = String(index + 1).padStart(digits, '0')
    const inPlace = (place: string): Field[] =>
      (step.parameters ?? [])
        .filter((one) => one.in === place)
        .map(({ name, value }) => ({ name, value: withVariables(String(value)) }))
    const references = (step.parameters ?? []).map(({ reference = '' }) => reference.split('.').at(-1))
    const captured = capturedOf(step, ids)
    return {
      id: `${number}-${step.stepId}`,
      name: `${number} ${operation.summary}`,
      description: step.description,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      pathParameters: inPlace('path'),
      query: inPlace('query'),
      headers: references.includes('by-editor') ? [{ name: 'X-Acting-User', value: EDITOR }] : [],
      as: references.includes('as-lender') ? 'lender' : references.includes('as-firm') ? 'firm' : 'nobody',
      ...(step.requestBody && { body: bodyOf(step.requestBody, operation) }),
      expected: expectedOf(step),
      ...(Object.keys(captured).length > 0 && { captured }),
    }
  })
  const description = 'A remortgage from the order to the registered title. Run the folder as a whole.'
  return { id: 'first-matter', name: 'First matter', description, items }
}

function bodyOf({ contentType, payload }: NonNullable<Step['requestBody']>, { operationId }: Operation): Body {
  if (contentType === 'multipart/form-data') {
    const fields = Object.entries(payload).map(([name, value]) => ({ name, value: String(value) }))
    return { type: 'upload', fields: fields.map((one) => (one.name === 'file' ? { ...one, value: SAMPLE_FILE } : one)) }
  }
  const named = operationId === 'createRemortgageWorkspace' ? { ...payload, reference: 'FIRST-MATTER' } : payload
  return { type: 'json', text: withVariables(JSON.stringify(named, null, 2)) }
}

const STATUS = /^\$statusCode == (\d+)$/
const VALUE = /^\$response\.body#(\S+) == '(.+)'$/

function expectedOf({ successCriteria }: Step): NonNullable<Item['expected']> {
  const conditions = successCriteria.map(({ condition }) => condition)
  const [, status] = conditions.map((one) => STATUS.exec(one)).find((one) => one !== null) ?? []
  const values = conditions.flatMap((one) => {
    const [, pointer = '', value = ''] = VALUE.exec(one) ?? []
    return pointer ? [[pointer, value] as const] : []
  })
  return { status: Number(status), values: Object.fromEntries(values) }
}

/** What this answer gives that the collection does not keep by itself. */
function capturedOf({ outputs = {} }: Step, ids: readonly string[]): Record<string, string> {
  const all = Object.values(outputs).map((output) => output.replace('$response.body#', ''))
  return Object.fromEntries(all.map((at) => [variableOf(at), at]).filter(([name = '']) => !ids.includes(name)))
}

const withVariables = (text: string): string =>
  text.replaceAll(/\{?\$steps\.[\w-]+\.outputs\.([\w-]+)\}?/g, (_, output: string) => {
    return `{{${variableOf(`/${output.replaceAll('-', '/')}`)}}}`
  })

const ORDINALS = ['', 'second', 'third', 'fourth']

/** `/parties/1/partyId` is `secondPartyId`, `/records/0/lodgementCaseId` is `lodgementCaseId`. */
function variableOf(pointer: string): string {
  const parts = pointer.split('/')
  const name = parts.at(-1) ?? ''
  const ordinal = ORDINALS[Math.max(0, ...parts.map(Number).filter(Number.isInteger))] ?? ''
  return ordinal ? ordinal + name.slice(0, 1).toUpperCase() + name.slice(1) : name
}
