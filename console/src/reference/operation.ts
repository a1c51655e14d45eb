import { html, inline, type Markup, prose } from '../ui/html.ts'
import { curlOf, exampleBlocks, sample, typescriptOf } from './code.ts'
import type { Answered, Header, MediaType, OpenApiDocument, Operation, Parameter, Ref } from './document.ts'
import { componentName, resolve } from './fields.ts'
import type { Placed } from './groups.ts'
import { bodyTables, limits, need, typeName } from './schema.ts'

/** One operation: its details on the left, examples on the right. */
export function operationArticle(document: OpenApiDocument, { method, path, operation }: Placed): Markup {
  const { operationId, summary, requestBody, responses } = operation
  const answers = Object.entries(responses)
  const good = answers.filter(([status]) => status.startsWith('2') && status !== '206')
  return html`<article class="operation" id="operation-${operationId}">
    <h3><a href="#operation-${operationId}">${summary}</a></h3>
    <p class="call"><b class="method ${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
    ${needs(operation)}
    <div class="columns"><div class="details">
      ${prose(aboutOf(operation))}
      ${parameterTables(document, operation.parameters ?? [])}
      ${requestBody && bodySection('Request body', requestBody.content, document)}
      <h4>Answers</h4>
      ${good.map(([status, answer]) => goodAnswer(status, answer, document))}
      ${otherAnswers(answers.slice(good.length))}
    </div><div class="samples" tabindex="0" role="group" aria-label="Examples of ${operationId}">
      ${sample('curl', curlOf(document, method, path, operation))}${sample('TypeScript', typescriptOf(document, operation))}
      ${Object.values(requestBody?.content ?? {}).map(({ examples }) => examples && example('Request bodies', { examples }))}
      ${good.map(([status, answer]) => example(`Answer ${status}`, mediaOf(answer)))}
      ${example('Answer 400 to a wrong request', mediaOf(responses['400']))}
    </div></div></article>`
}

/** The description without its last sentence, which is shown with the scope. */
export const aboutOf = ({ description = '' }: Operation): string => description.replace(/\n\nOnly for [^.]*\.$/, '')

export const scopesOf = ({ security }: Operation): string[] => security.flatMap(({ oauth2 = [] }) => oauth2)

/** CREDIT_UNION becomes "credit unions". */
const plural = (kind: string) => `${kind.toLowerCase().replaceAll('_', ' ')}s`

export const callersOf = (operation: Operation): string =>
  operation['x-callers']?.map(plural).join(' and ') ?? 'every kind of subscriber'

function needs(operation: Operation): Markup {
  const { operationId, deprecated } = operation
  const scopes = scopesOf(operation)
  return html`<p class="needs">${
    scopes.length === 0
      ? html`<span>open: no token needed</span>`
      : html`<span>scope ${scopes.map((scope, index) => html`${index > 0 && ' or '}<a href="#scopes"><code>${scope}</code></a>`)}</span>
        <span>for ${callersOf(operation)}</span>`
  } <span class="id">${operationId}</span>${deprecated && html`<span>deprecated</span>`}
    <span><a href="/docs/operations/${operationId}.md">as Markdown</a></span></p>`
}

function parameterTables(document: OpenApiDocument, parameters: readonly (Parameter | Ref)[]): Markup {
  const own = parameters.filter((one): one is Parameter => !('$ref' in one))
  const shared = parameters.flatMap((one) =>
    '$ref' in one ? [resolve<Parameter>(one, document.components.parameters)] : [],
  )
  return html`${own.length > 0 && html`<h4>Parameters</h4>${parameterTable(own)}`}
    ${shared.length > 0 && html`<p class="shared">Headers: ${listed(shared.map(({ name }) => headerLink('request', name)))}</p>`}`
}

export function parameterTable(parameters: readonly Parameter[]): Markup {
  return html`<table class="fields"><tbody>${parameters.map(
    (one) => html`<tr${one.in === 'header' && html` id="request-${one.name}"`}><td><code class="name">${one.name}</code>
      <p class="type">${typeName(one.schema)} · in ${one.in}${need(one.required)}</p>
      <td>${one.description && html`<p>${inline(one.description)}</p>`}${limits(one.schema)}</tr>`,
  )}</tbody></table>`
}

function bodySection(title: string, content: Readonly<Record<string, MediaType>>, document: OpenApiDocument): Markup {
  const media = Object.values(content)[0]
  return html`<h4>${title} <small>${Object.keys(content).join(', ')}</small></h4>
    ${media && bodyTables(media.schema, document.components.schemas)}`
}

function goodAnswer(status: string, answer: Answered | Ref, document: OpenApiDocument): Markup {
  const { description, headers = {}, content = {} } = resolve(answer, document.components.responses)
  const media = content['application/json']
  return html`<div class="answer"><h5><b class="status good">${status}</b> ${inline(description)} <small>${Object.keys(content).join(', ')}</small></h5>
    ${media && bodyTables(media.schema, document.components.schemas)}
    <p class="shared">Headers: ${listed(Object.entries(headers).map(([name, one]) => answerHeader(name, one)))}</p></div>`
}

const answerHeader = (name: string, header: Header | Ref): Markup =>
  '$ref' in header ? headerLink('answer', name) : html`<code>${name}</code> (${inline(header.description)})`

const headerLink = (side: 'request' | 'answer', name: string) =>
  html`<a href="#${side}-${name}"><code>${name}</code></a>`

const listed = (items: readonly Markup[]) => items.map((item, index) => html`${index > 0 && ', '}${item}`)

// The operation's own descriptions are shown here; those that all operations share are links.
function otherAnswers(answers: readonly [string, Answered | Ref][]): Markup {
  const own = answers.flatMap(([status, answer]) => ('$ref' in answer ? [] : [{ status, ...answer }]))
  const shared = answers.flatMap(([status, answer]) =>
    '$ref' in answer ? [{ status, name: componentName(answer) }] : [],
  )
  return html`${
    own.length > 0 &&
    html`<table class="others"><tbody>${own.map(
      ({ status, description }) => html`<tr><td><b class="status">${status}</b><td>${inline(description)}</tr>`,
    )}</tbody></table>`
  }<p class="shared">As explained under <a href="#errors">statuses and errors</a>: ${listed(
    shared.map(({ status, name }) => html`<a href="#error-${name}"><b class="status">${status}</b> ${name}</a>`),
  )}</p>`
}

export const mediaOf = (answer: Answered | Ref | undefined): MediaType | undefined =>
  answer && 'content' in answer ? Object.values(answer.content ?? {})[0] : undefined

function example(title: string, media: Pick<MediaType, 'example' | 'examples'> | undefined): Markup | undefined {
  const blocks = media ? exampleBlocks(media) : []
  return blocks.length > 0 ? html`<h5>${title}</h5>${blocks}` : undefined
}
