import { OPERATIONS } from '../client/src/operations.ts'
import { type Document, docstring, type Operation, type Parameter, typeOf } from './generate-types.ts'

// A method for each operation, and a table of what the client must know of each.

type Facts = {
  method: string
  path: string
  open?: true
  key?: true
  gone?: true
  pages?: string
  upload?: true
  download?: true
}

const IMPORTS = `# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from . import schema
from .options import File, Operation, Options, Saved, Target

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack
`

export function methodsText(document: Document): string {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const known = all.filter(({ operationId }) => operationId in OPERATIONS)
  return `${IMPORTS}
${tableOf(known)}

class Operations:
    """A method for each operation of the interface, named by its operationId."""

    def _perform(
        self, operation: str, path: dict[str, str], query: dict[str, Any], body: Any, options: Options
    ) -> Any:
        raise NotImplementedError

    def _upload(self, operation: str, path: dict[str, str], fields: Any, file: File, options: Options) -> Any:
        raise NotImplementedError

    def _download(
        self, operation: str, path: dict[str, str], query: dict[str, Any], to: Target, options: Options
    ) -> Saved:
        raise NotImplementedError
${known.map((operation) => methodOf(document, operation)).join('')}`
}

const factsOf = ({ operationId }: Operation): Facts => OPERATIONS[operationId as keyof typeof OPERATIONS]

function tableOf(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { method, path, ...traits } = factsOf(operation)
    const rest = Object.entries(traits).map(
      ([name, value]) => `, ${name}=${value === true ? 'True' : JSON.stringify(value)}`,
    )
    return `    ${JSON.stringify(snake(operation.operationId))}: Operation(${JSON.stringify(method)}, ${JSON.stringify(path)}${rest.join('')}),\n`
  })
  return `OPERATIONS: dict[str, Operation] = {\n${rows.join('')}}\n`
}

function methodOf({ components }: Document, operation: Operation): string {
  const name = snake(operation.operationId)
  const { upload, download } = factsOf(operation)
  const parameters = (operation.parameters ?? []).flatMap((one) =>
    'name' in one ? one : (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? []),
  )
  const path = parameters.filter((one) => one.in === 'path')
  const query = parameters.filter((one) => one.in === 'query')
  const content = operation.requestBody?.content ?? {}
  const body = typeName(content['application/json'] ?? content['multipart/form-data'])
  const named = [
    ...query.filter(({ required }) => required).map((one) => `${python(one.name)}: ${annotation(one)}`),
    ...(upload ? ['file: File', `fields: ${body}`] : body ? [`body: ${body}`] : []),
    ...(download ? ['to: Target'] : []),
    ...query.filter(({ required }) => !required).map((one) => `${python(one.name)}: ${annotation(one)} | None = None`),
  ]
  const signature = [
    'self',
    ...path.map((one) => `${python(one.name)}: ${annotation(one)}`),
    ...(named.length ? ['*', ...named] : []),
    '**options: Unpack[Options]',
  ]
  const paths = dictionary(path)
  const call = upload
    ? `self._upload("${name}", ${paths}, fields, file, options)`
    : `self._${download ? 'download' : 'perform'}("${name}", ${paths}, ${dictionary(query)}, ${download ? 'to' : body ? 'body' : 'None'}, options)`
  return `
    def ${name}(
${signature.map((one) => `        ${one},\n`).join('')}    ) -> ${download ? 'Saved' : answerOf(operation)}:
${docstring(aboutOf(operation), 8)}        return ${call}
`
}

function answerOf({ responses }: Operation): string {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return typeName(answer?.content?.['application/json']) || 'None'
}

const typeName = (media: { schema: { $ref?: string } } | undefined) =>
  media?.schema.$ref ? `schema.${media.schema.$ref.split('/').at(-1)}` : ''

const annotation = ({ schema }: Parameter) => typeOf(schema, '', [])

const dictionary = (parameters: readonly Parameter[]) =>
  `{${parameters.map(({ name }) => `"${name}": ${python(name)}`).join(', ')}}`

const python = (name: string) => (['from'].includes(name) ? `${name}_` : name)

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function aboutOf({ summary, description, security = [] }: Operation): string {
  const scopes = security.flatMap((one) => Object.values(one).flat())
  const needs = scopes.length ? [`Needs the scope ${scopes.map((one) => `\`${one}\``).join(' or ')}.`] : []
  return [`${summary}.`, ...(description ? [description] : []), ...needs].join('\n\n')
}
