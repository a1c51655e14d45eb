import type { Assets } from '../assets.ts'
import { html, type Markup } from '../ui/html.ts'

/** What every page of the documentation has around it. */
export type Frame = {
  assets: Pick<Assets, 'address'>
  guide: readonly { name: string; title: string }[]
  /** The page of the guide that is shown. */
  current?: string
}

/** On a phone the contents are a sheet that `#contents` opens and any of its links closes. */
export const frame = (
  title: string,
  { assets, guide, current }: Frame,
  parts: { contents?: Markup; main: Markup },
): string =>
  html`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Lodgeway</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.address('docs.css')}">
<script type="module" src="${assets.address('reference.js')}"></script>
</head><body>
<a class="skip" href="#top">Skip to the content</a>
<header class="bar"><a class="brand" href="/docs">Lodgeway</a><a class="to-contents" href="#contents">Contents</a></header>
<nav id="contents" aria-label="Contents">
<ul><li><a href="/docs"${current === undefined && html` aria-current="page"`}>Reference</a>
<li><a href="/docs/guide"${current === 'README' && html` aria-current="page"`}>Guide</a>
${guide.map(({ name, title: label }) => html`<li class="page"><a href="/docs/guide/${name}"${name === current && html` aria-current="page"`}>${label}</a>`)}</ul>
${parts.contents}</nav>
<main id="top" tabindex="-1">${parts.main}</main></body></html>
`.text
