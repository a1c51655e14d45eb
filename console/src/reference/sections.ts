import { html, inline, type Markup, prose } from '../ui/html.ts'
import { baseUrl, exampleBlocks, jsonBlock, sample } from './code.ts'
import type { OpenApiDocument } from './document.ts'
import { componentName } from './fields.ts'
import { parameterTable } from './operation.ts'
import { bodyTables, limits } from './schema.ts'

// The sections that apply to all operations.

export function tokenSection(document: OpenApiDocument): Markup {
  const { tokenUrl } = document.components.securitySchemes.oauth2.flows.clientCredentials
  const base = baseUrl(document)
  const ask = [
    `curl -u "$CLIENT_ID:$CLIENT_SECRET" \\`,
    `  -d grant_type=client_credentials \\`,
    `  ${base}${tokenUrl}`,
  ]
  return html`<section id="token"><h2><a href="#token">Get a token</a></h2>
    <p>Every operation except the open ones needs an access token. Request one with your client’s id and secret
    (OAuth 2.0, client credentials). It has the scopes that were granted to the client, or those that you name in <code>scope</code>.</p>
    ${sample('curl', ask.join('\n'))}
    <p>Then send it with each request, until it expires:</p>
    ${sample('curl', `curl -H "Authorization: Bearer $TOKEN" ${base}/…`)}</section>`
}

export function requestsSection({ components }: OpenApiDocument): Markup {
  return html`<section id="requests"><h2><a href="#requests">Headers of requests</a></h2>
    <p>All are optional. Each operation names those that it uses.</p>
    ${parameterTable(Object.values(components.parameters))}</section>`
}

export function answersSection({ components }: OpenApiDocument): Markup {
  return html`<section id="answers"><h2><a href="#answers">Headers of answers</a></h2>
    <table class="fields"><tbody>${Object.entries(components.headers).map(
      ([name, { description, example }]) =>
        html`<tr id="answer-${name}"><td><code class="name">${name}</code><td><p>${inline(description)}</p><p class="limits"><code>${String(example)}</code></p></tr>`,
    )}</tbody></table></section>`
}

export function errorsSection({ components, paths }: OpenApiDocument): Markup {
  const statusOf = new Map<string, string>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if ('$ref' in answer) statusOf.set(componentName(answer) ?? '', status)
    }
  }
  const shared = Object.entries(components.responses)
    .map(([name, answer]) => ({ name, answer, status: statusOf.get(name) ?? '' }))
    .sort((a, b) => (a.status < b.status ? -1 : 1))
  return html`<section id="errors"><h2><a href="#errors">Statuses and errors</a></h2>
    <p>One body everywhere, unless an operation says otherwise: <a href="#schema-ErrorBody">ErrorBody</a>, with all errors of its kind at once.
    An example of a <b class="status">400</b> is shown with each operation.
    A path that exists answers <b class="status">405</b> with <code>Allow</code> to a method that it does not have.</p>
    ${shared.map(
      ({ name, answer, status }) => html`<div class="error" id="error-${name}"><div>
      <h3><b class="status">${status}</b> ${name}</h3><p>${inline(answer.description)}</p></div>
      ${Object.values(answer.content ?? {}).map(({ example }) => jsonBlock(example, 0))}</div>`,
    )}</section>`
}

export function scopesSection({ components }: OpenApiDocument): Markup {
  const { scopes } = components.securitySchemes.oauth2.flows.clientCredentials
  return html`<section id="scopes"><h2><a href="#scopes">Scopes</a></h2>
    <table class="fields"><tbody>${Object.entries(scopes).map(
      ([scope, sentence]) => html`<tr><td><code class="name">${scope}</code><td>${sentence}</tr>`,
    )}</tbody></table></section>`
}

export function webhooksSection(document: OpenApiDocument): Markup | undefined {
  const sent = Object.entries(document.webhooks ?? {}).flatMap(([type, { post }]) => (post ? [{ type, post }] : []))
  if (sent.length === 0) return undefined
  const headers = sent[0]?.post.parameters?.filter((one) => 'name' in one) ?? []
  return html`<section id="webhooks"><h2><a href="#webhooks">Webhooks</a></h2>
    <p>Your receiver gets each event as a signed <code>POST</code>. Answer with any 2xx.</p>${parameterTable(headers)}
    ${sent.map(({ type, post }) => {
      const media = post.requestBody?.content['application/json']
      return html`<article class="operation" id="webhook-${type}"><h3><a href="#webhook-${type}">${type}</a></h3>
        <div class="columns"><div class="details">${prose(post.description)}
        ${media && bodyTables(media.schema, document.components.schemas)}</div>
        <div class="samples" tabindex="0" role="group" aria-label="Example of ${type}">${media && exampleBlocks(media)}</div></div></article>`
    })}</section>`
}

export function schemasSection({ components: { schemas } }: OpenApiDocument): Markup {
  return html`<section id="schemas"><h2><a href="#schemas">Schemas</a></h2>
    ${Object.entries(schemas).map(
      ([
        name,
        schema,
      ]) => html`<article class="schema" id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>
        ${prose(schema.description)}${limits(schema)}${bodyTables(schema, schemas)}
        ${schema.examples?.[0] !== undefined && jsonBlock(schema.examples[0])}</article>`,
    )}</section>`
}
