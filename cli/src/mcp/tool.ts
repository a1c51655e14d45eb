import type { Lodgeway } from '../../../client/src/index.ts'
import type { Interface, Schema } from '../document.ts'
import { Failure, misused } from '../failure.ts'
import { findWorkspaceId } from '../reference.ts'
import type { Connection } from '../session.ts'
import type { Access } from './access.ts'

/** What the tools work with. */
export type Desk = Interface & {
  connection: Connection
  client: Lodgeway
  access: Access
  /** A page of the service's documentation, as Markdown. Undefined if there is none at this path. */
  readPage(path: string): Promise<string | undefined>
}

export type Tool = {
  name: string
  title: string
  description: string
  /** A JSON Schema of an object. */
  input: { type: 'object'; properties: Record<string, object>; required?: string[] }
  /** Whether it only reads. */
  isReadOnly: boolean
  /** What the assistant gets to read: text as it is, anything else as JSON. */
  run(input: Record<string, unknown>): Promise<unknown>
}

/** The workspace that the assistant means. */
export const findMatter = ({ client }: Desk, matter: unknown): Promise<string> =>
  findWorkspaceId(client, String(matter)).catch((error: unknown) => {
    throw error instanceof Failure ? misused(`${error.message} Use find_matters to look for it.`) : error
  })

/** The parameters of an operation as the properties of a tool's input. */
export function propertiesOf({ operations }: Interface, id: string, places: readonly string[]): Record<string, object> {
  const { parameters = [] } = operations.find(({ operationId }) => operationId === id) ?? {}
  const wanted = parameters.filter((one) => places.includes(one.in))
  return Object.fromEntries(
    wanted.map(({ name, description, schema = {} }) => [name, { ...looseOf(schema), description }]),
  )
}

/** Without its patterns and formats: the service checks these after it has tidied the value up, and says what it expects. */
export const looseOf = ({ type, enum: values, description }: Schema): Schema => ({
  ...(type && { type }),
  ...(values && { enum: values }),
  ...(description && { description }),
})
