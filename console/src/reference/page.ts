import { setImmediate as otherWork } from 'node:timers/promises'
import { html, type Markup, prose } from '../ui/html.ts'
import type { OpenApiDocument } from './document.ts'
import { type Frame, frame } from './frame.ts'
import { type Group, GUIDE_PAGES, groupsOf } from './groups.ts'
import { operationArticle } from './operation.ts'
import {
  answersSection,
  errorsSection,
  requestsSection,
  schemasSection,
  scopesSection,
  tokenSection,
  webhooksSection,
} from './sections.ts'

/** The reference as one page. Other requests are answered between its groups. */
export async function referencePage(document: OpenApiDocument, around: Frame): Promise<string> {
  const { title, version, description } = document.info
  const groups = groupsOf(document)
  const sections: Markup[] = []
  for (const group of groups) {
    sections.push(groupSection(document, group))
    await otherWork()
  }
  const schemas = schemasSection(document)
  await otherWork()
  return frame('Reference', around, {
    contents: contents(document, groups),
    main: html`<header><h1>${title}</h1>
  <p class="edition">${version} · <a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a>${document.servers
    .filter(({ url }) => url.startsWith('http'))
    .map(({ url }) => html` · <code>${url}</code>`)}</p>
  ${prose(description)}<p>The <a href="/docs/guide">guide</a> leads through a whole matter.</p></header>
  ${tokenSection(document)}
  ${sections}
  ${webhooksSection(document)}
  ${requestsSection(document)}
  ${answersSection(document)}
  ${errorsSection(document)}
  ${scopesSection(document)}
  ${schemas}`,
  })
}

const groupSection = (document: OpenApiDocument, { name, about, operations }: Group): Markup =>
  html`<section id="${anchor(name)}"><h2><a href="#${anchor(name)}">${name}</a></h2>
    ${prose(about)}${GUIDE_PAGES[name] && html`<p>In the guide: <a href="/docs/guide/${GUIDE_PAGES[name]}">${GUIDE_PAGES[name].replaceAll('-', ' ')}</a></p>`}
    ${operations.map((placed) => operationArticle(document, placed))}</section>`

const anchor = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

function contents(document: OpenApiDocument, groups: readonly Group[]): Markup {
  const webhooks = Object.keys(document.webhooks ?? {})
  return html`<p id="search" hidden><label for="find">Find</label> <input id="find" type="search" autocomplete="off"></p>
    <p id="none" role="status"></p>
    <ul><li><a href="#token">Get a token</a></ul>
    ${groups.map(
      ({ name, operations }) =>
        html`<h2><a href="#${anchor(name)}">${name}</a></h2><ul>${operations.map(
          ({ method, path, operation: { operationId, summary } }) =>
            html`<li data-find="${operationId} ${path}"><a href="#operation-${operationId}"><b class="method ${method}">${SHORT[method] ?? method}</b> ${summary}</a>`,
        )}</ul>`,
    )}
    ${webhooks.length > 0 && html`<h2><a href="#webhooks">Webhooks</a></h2><ul>${webhooks.map((type) => html`<li><a href="#webhook-${type}"><small>${type}</small></a>`)}</ul>`}
    <h2>For all operations</h2><ul>
      <li><a href="#requests">Headers of requests</a><li><a href="#answers">Headers of answers</a>
      <li><a href="#errors">Statuses and errors</a><li><a href="#scopes">Scopes</a></ul>
    <h2><a href="#schemas">Schemas</a></h2><ul>${Object.keys(document.components.schemas).map(
      (name) => html`<li><a href="#schema-${name}">${name}</a>`,
    )}</ul>`
}

const SHORT: Partial<Record<string, string>> = { delete: 'del' }
