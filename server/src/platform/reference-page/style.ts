import { Markup } from '../../../../console/src/ui/html.ts'

/** The look of the reference page: system fonts, light and dark, no pictures. */
export const STYLE = new Markup(`
:root { color-scheme: light dark;
  --paper: #ffffff; --side: #f6f7f8; --code: #f4f6f7; --line: #e2e6e9; --ink: #1d2630; --soft: #5b6875; --link: #0b6470;
  --get: #0a6a8a; --post: #1c7a44; --patch: #96610a; --put: #6a4bb0; --delete: #b3312c;
  --key: #24556b; --text: #2c6e3f; --value: #9a4b12; --mark: #fff6d6;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14191e; --side: #191f25; --code: #1c232a; --line: #2b343c; --ink: #dfe5ea; --soft: #93a0ac; --link: #6fc3ce;
  --get: #62b6dc; --post: #6ec48d; --patch: #ddab55; --put: #b39ce6; --delete: #ee8a82;
  --key: #8cc4dc; --text: #9dcf9f; --value: #e0a878; --mark: #33301d } }
* { box-sizing: border-box }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100% }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans) }
a { color: var(--link); text-decoration: none; overflow-wrap: anywhere } a:hover, :is(p, td, li, h5) > a { text-decoration: underline }
nav a, .brand a, .bar a { text-decoration: none !important } nav h2 a { display: inline-block; padding: .3rem 0 }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 0 } h1, h2, h3 { text-wrap: balance }
h2 a, h3 a { color: inherit } p, ul { margin: .5rem 0 } small { font-size: .86em; color: var(--soft); font-weight: 400 }
code, pre { font-family: var(--mono); font-size: .875em; font-variant-ligatures: none }
code { overflow-wrap: anywhere }
pre { margin: .4rem 0 .9rem; padding: .7rem .9rem; background: var(--code); border: 1px solid var(--line); border-radius: 6px;
  overflow: auto; line-height: 1.5; font-size: .74rem; white-space: pre-wrap } pre code { font-size: 1em }
.key { color: var(--key) } .text { color: var(--text) } .value { color: var(--value) }

nav { position: fixed; inset: 0 auto 0 0; width: 17.5rem; overflow-y: auto; padding: 1.4rem .8rem 3rem 1.4rem;
  background: var(--side); border-right: 1px solid var(--line); font-size: .855rem; overscroll-behavior: contain }
nav ul { list-style: none; margin: .2rem 0 1rem; padding: 0 } nav li a { display: block; padding: .17rem .4rem; border-radius: 4px; color: var(--ink); overflow-wrap: anywhere }
nav li a:hover { background: var(--line); text-decoration: none }
nav li a:has(.method) { display: flex; gap: .35rem; align-items: baseline } nav .method { flex: none; width: 2.4rem }
nav h2 { font-size: .72rem; letter-spacing: .06em; text-transform: uppercase; padding: 0 .4rem; color: var(--soft) }
.brand { font-size: 1.05rem; font-weight: 650; margin: 0 0 .8rem; padding: 0 .4rem } .brand a, .bar a { color: inherit } .bar { display: none }
.method { display: inline-block; font: 700 .7rem/1.5 var(--mono); text-transform: uppercase; color: var(--get) }
.post { color: var(--post) } .patch { color: var(--patch) } .put { color: var(--put) } .delete { color: var(--delete) }

main { margin-left: 17.5rem; padding: 2.6rem 3rem 6rem; max-width: 88rem }
h1 { font-size: 2.1rem; letter-spacing: -.02em } .edition { color: var(--soft) }
main > header, section > p, section > ul { max-width: 46rem }
section { margin-top: 3.5rem } section > h2 { font-size: 1.5rem; letter-spacing: -.01em; padding-bottom: .5rem; border-bottom: 2px solid var(--ink) }
.operation, .schema { padding: 2rem 0; border-bottom: 1px solid var(--line) } :is(.operation, .schema):last-child { border: 0 }
h3 { font-size: 1.18rem; margin-bottom: .4rem } .schema h3 { font-family: var(--mono); font-size: 1rem } :target > h3, tr:target { background: var(--mark) }
.call { margin: .45rem 0 .2rem } .call .method { font-size: .82rem; margin-right: .3rem } .call code { font-size: .9rem }
.needs { margin: 0 0 .8rem; color: var(--soft); font-size: .855rem } .needs span + span::before { content: "·"; margin-right: .4rem; font-family: var(--sans) } .id { font-family: var(--mono); font-size: .8rem }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 0 2.5rem; align-items: start }
.samples { position: sticky; top: 1.5rem; max-height: calc(100vh - 3rem); overflow: auto } .details > :first-child { margin-top: 0 }
h4 { font-size: .95rem; margin: 1.5rem 0 .3rem } h5 { font-size: .9rem; font-weight: 400; margin: .9rem 0 .4rem } .samples h5 { color: var(--soft); margin: 0 }
h6 { font-size: .82rem; margin: 1.1rem 0 .2rem } .samples h6 { font: 500 .78rem var(--mono); color: var(--soft); margin: 0 } .variant { font-size: .82rem; font-weight: 700; margin: 1.1rem 0 .2rem } .variant code { background: var(--code); padding: .1rem .35rem; border-radius: 3px }
.shared { color: var(--soft); font-size: .855rem } .status { font: 600 .82rem var(--mono) } .good { color: var(--post) } .shared a { white-space: nowrap } .shared .status { font-weight: 500 }

table { width: 100%; border-collapse: collapse; font-size: .875rem; margin: .4rem 0 1rem }
td { vertical-align: top; padding: .45rem 1.4rem .45rem 0; border-bottom: 1px solid var(--line) } td:last-child { padding-right: 0 }
tr:first-child td { border-top: 1px solid var(--line) } td p { margin: 0 } .fields td:first-child { width: 36% }
.name { font-weight: 600 } .name span { color: var(--soft); font-weight: 400 } .type { font-size: .8rem } td em { font-style: normal } td em::before { content: "· "; color: var(--soft) } td .required { color: var(--patch) } .answer .required { color: inherit }
.details .fields, .details .fields :is(tbody, tr, td) { display: block; width: auto } .details .fields tr { border-bottom: 1px solid var(--line); padding: .42rem 0 } .details .fields tr:first-child { border-top: 1px solid var(--line) }
.details .fields tr td { border: 0; padding: 0 } .details .fields td:first-child { display: flex; flex-wrap: wrap; gap: 0 .7rem; align-items: baseline }
.values code { display: inline-block; background: var(--code); border-radius: 3px; padding: 0 .3rem; margin: 0 .1rem .15rem 0; font-size: .78rem } .limits, .type { color: var(--soft) }
.others td { padding: .28rem 0 } .others td:first-child { width: 3.2rem }
.error { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr); gap: 0 2rem; align-items: start; padding: .5rem 0; border-bottom: 1px solid var(--line) } .error h3 { font-size: .9rem; font-weight: 400; margin-top: .5rem } .error p { margin: 0 } .error:target { background: var(--mark) }

@media (max-width: 75rem) { .columns { grid-template-columns: minmax(0, 1fr) } .samples { position: static; margin-top: 1rem; max-height: none } main { padding: 2rem 2rem 5rem } }
@media (max-width: 52rem) {
  html { scroll-padding-top: 4rem } main { margin: 0; padding: 1.2rem 1.1rem 4rem } h1 { font-size: 1.7rem }
  .bar { display: flex; justify-content: space-between; position: sticky; top: 0; z-index: 1; margin: 0; padding: .7rem 1.1rem; background: var(--side); border-bottom: 1px solid var(--line); font-weight: 600 } .bar a:last-child { color: var(--link) }
  nav { display: none; z-index: 2; width: auto; right: 0; font-size: .95rem } nav:target { display: block } nav li a { padding-block: .4rem }
  .error { grid-template-columns: minmax(0, 1fr) }
  .fields, .fields :is(tbody, tr, td) { display: block; width: auto !important } .fields tr { border-bottom: 1px solid var(--line); padding: .5rem 0 } .fields tr td { border: 0; padding: 0 }
}
@media print { nav, .bar { display: none } main { margin: 0 } .samples { position: static } pre { max-height: none; white-space: pre-wrap } }
`)
