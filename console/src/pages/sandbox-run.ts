import type { Schemas } from '../../../client/src/index.ts'
import type { Page, View } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted } from '../ui/time.ts'
import { RUN_WORDS } from '../words.ts'

type Run = Schemas['ScenarioRun']

/** A scenario that was started: its steps, as they are done. */
export const sandboxRun: Page = {
  async show({ api, params, doors }) {
    const [run, { records }] = await Promise.all([
      api.getScenarioRun({ path: { run_id: params['run'] ?? '' } }),
      api.listScenarios(),
    ])
    const title = records.find(({ name }) => name === run.scenario)?.title ?? run.scenario
    return view(run, title, doors.publicUrl)
  },
}

const isOver = ({ status }: Run) => status === 'DONE' || status === 'FAILED'

function view(run: Run, title: string, publicUrl: string): View {
  const { runId, workspaceId, reference, status, steps, error } = run
  return {
    title,
    crumbs: [['/console/sandbox', 'Sandbox']],
    live: `run:${runId}`,
    main: html`<h1>${title}</h1>
<p class="lead">${workspaceId ? html`<a href="/console/matters/${workspaceId}">${reference}</a>` : reference} ${tag(status)}</p>
${!isOver(run) && html`<noscript><p class="notice">It goes on. <a href="">Show how far it is</a></p></noscript>`}
${error && html`<p class="bad">${error}</p>`}
<ol class="tasks">${steps.map(step)}</ol>
<p class="actions">${workspaceId && html`<a class="button" href="/console/matters/${workspaceId}">Open the matter</a>`} <a href="/console/sandbox#scenario-${run.scenario}">Run it again</a></p>
<p>From a program, or by the command line:</p><pre tabindex="0"><code>${curlOf(run, publicUrl)}</code></pre>
<pre tabindex="0"><code>${commandOf(run)}</code></pre>`,
  }
}

const step = ({ name, description, status, calls }: Run['steps'][number]): Markup =>
  html`<li id="step-${name}"><div><p>${description}</p>${
    calls.length > 0 &&
    html`<details id="calls-${name}"><summary>${counted(calls.length, 'call')}</summary><ul>${calls.map(
      (call) => html`<li><code>${call.method} ${call.path}</code> <small>${call.client} ${call.status}</small></li>`,
    )}</ul></details>`
  }</div>${tag(status)}</li>`

const TONES: Record<Run['status'], string> = { WAITING: '', RUNNING: 'is-warn', DONE: 'is-good', FAILED: 'is-bad' }

const tag = (status: Run['status']): Markup => html`<span class="tag ${TONES[status]}">${RUN_WORDS[status]}</span>`

const commandOf = ({ scenario, steps }: Run) => `lodgeway trigger ${scenario} --until ${steps.at(-1)?.name}`

const curlOf = ({ scenario, steps }: Run, publicUrl: string) =>
  `curl -X POST '${publicUrl}/sandbox/v1/scenarios/${scenario}' -H 'Content-Type: application/json' -d '{"until":"${steps.at(-1)?.name}"}'`
