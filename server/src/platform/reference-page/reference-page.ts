import { html, type Markup, prose } from '../../../../console/src/ui/html.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { operationArticle, type Placed } from './operation.ts'
import {
  answersSection,
  errorsSection,
  requestsSection,
  schemasSection,
  scopesSection,
  tokenSection,
  webhooksSection,
} from './sections.ts'
import { STYLE } from './style.ts'

/** For the header `Content-Security-Policy`. It is also in the page, for when that is saved as a file. */
export const REFERENCE_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * The reference as one page of HTML without scripts, which loads nothing.
 * `publicUrl` is the address in its `curl` lines, instead of the document's own servers.
 */
export function referencePage(source: OpenApiDocument, publicUrl?: string): string {
  const document = publicUrl === undefined ? source : { ...source, servers: [{ url: publicUrl }] }
  const { title, version, description } = document.info
  const groups = groupsOf(document)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${REFERENCE_PAGE_POLICY}">
<title>${title} reference</title>
<style>${STYLE}</style></head>
<body>
<p class="bar"><a href="#top">${title}</a><a href="#contents">Contents</a></p>
${contents(document, groups)}
<main id="top"><header><h1>${title}</h1>
  <p class="edition">${version} · <a href="/openapi.json">openapi.json</a>${document.servers
    .filter(({ url }) => url.startsWith('http'))
    .map(({ url }) => html` · <code>${url}</code>`)}</p>
  ${prose(description)}</header>
  ${tokenSection(document)}
  ${groups.map(
    ({ name, about, operations }) => html`<section id="${anchor(name)}"><h2><a href="#${anchor(name)}">${name}</a></h2>
    ${prose(about)}${operations.map((placed) => operationArticle(document, placed))}</section>`,
  )}
  ${webhooksSection(document)}
  ${requestsSection(document)}
  ${answersSection(document)}
  ${errorsSection(document)}
  ${scopesSection(document)}
  ${schemasSection(document)}
</main></body></html>
`.text
}

type Group = { name: string; about: string; operations: Placed[] }

function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation }) as Placed),
  )
  return tags
    .map(({ name, description }) => ({
      name,
      about: description,
      operations: all.filter(({ operation }) => operation.tags?.[0] === name),
    }))
    .filter(({ operations }) => operations.length > 0)
}

const anchor = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

// On a phone this is a sheet that `#contents` opens and any of its links closes.
function contents(document: OpenApiDocument, groups: readonly Group[]): Markup {
  const webhooks = Object.keys(document.webhooks ?? {})
  return html`<nav id="contents" aria-label="Contents">
    <p class="brand"><a href="#top">${document.info.title}</a> <small>${document.info.version}</small></p>
    <ul><li><a href="#token">Get a token</a></ul>
    ${groups.map(
      ({ name, operations }) =>
        html`<h2><a href="#${anchor(name)}">${name}</a></h2><ul>${operations.map(
          ({ method, operation: { operationId, summary } }) =>
            html`<li><a href="#operation-${operationId}"><b class="method ${method}">${SHORT[method] ?? method}</b> ${summary}</a>`,
        )}</ul>`,
    )}
    ${webhooks.length > 0 && html`<h2><a href="#webhooks">Webhooks</a></h2><ul>${webhooks.map((type) => html`<li><a href="#webhook-${type}"><small>${type}</small></a>`)}</ul>`}
    <h2>For all operations</h2><ul>
      <li><a href="#requests">Headers of requests</a><li><a href="#answers">Headers of answers</a>
      <li><a href="#errors">Statuses and errors</a><li><a href="#scopes">Scopes</a></ul>
    <h2><a href="#schemas">Schemas</a></h2><ul>${Object.keys(document.components.schemas).map(
      (name) => html`<li><a href="#schema-${name}">${name}</a>`,
    )}</ul></nav>`
}

const SHORT: Partial<Record<string, string>> = { delete: 'del' }
