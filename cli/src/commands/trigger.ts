import { setTimeout as delay } from 'node:timers/promises'
import type { Result } from '../../../client/src/index.ts'
import { EXIT, Failure } from '../failure.ts'
import { withExamples } from '../program.ts'
import { sandboxOf } from '../sandbox.ts'
import type { Session } from '../session.ts'
import type { Define } from '../table.ts'

type Run = Result<'getScenarioRun'>

const EVERY_MS = 300

export const define: Define = (command, run) => {
  command
    .description(
      'Plays a matter in the sandbox: a lender and a law firm act, the registry and the bank answer. It moves the clock. ' +
        'Without a name, lists what can be played.',
    )
    .argument('[scenario]', 'the name of a scenario')
    .option('--until <step>', 'stop after this step')
  withExamples(command, [
    ['lodgeway trigger', 'the list'],
    ['lodgeway trigger requisition', 'to the end'],
    ['lodgeway trigger straight-through --until approve', 'a matter that is ready for the lender'],
  ]).action(
    run(async (session, name: string | undefined, { until }: { until?: string }) => {
      const { print, json, terminal } = session
      const client = await sandboxOf(session)
      if (name === undefined) {
        const scenarios = await client.listScenarios()
        if (json) return print.json(scenarios)
        for (const { name, title, steps } of scenarios.records) {
          print.line(`${print.paint('bold', name)}  ${title}`)
          print.line(`  ${steps.map((step) => step.name).join(' → ')}`)
        }
        return
      }
      let played: Run = await client.runScenario({ path: { name }, body: until ? { until } : {} })
      if (!json) print.line(`${played.reference} begins.`)
      const shown = new Set<string>()
      const signal = terminal.interrupted()
      const path = { run_id: played.runId }
      while (played.status === 'WAITING' || played.status === 'RUNNING') {
        await delay(EVERY_MS, undefined, { signal })
        played = await client.getScenarioRun({ path, signal })
        if (!json) showSteps(session, played, shown)
      }
      if (json) print.json(played)
      if (played.status === 'FAILED')
        throw new Failure(EXIT.failed, `It failed: ${played.error ?? 'no reason is known.'}`)
      if (!json) print.line(`Done: ${played.reference}, workspace ${played.workspaceId ?? '–'}`)
    }),
  )
}

/** Each step once, when it is over. */
function showSteps({ print }: Session, { steps }: Run, shown: Set<string>): void {
  for (const { name, description, status } of steps) {
    if (shown.has(name) || (status !== 'DONE' && status !== 'FAILED')) continue
    shown.add(name)
    const mark = status === 'DONE' ? print.paint('green', '✓') : print.paint('red', '✗')
    print.line(`  ${mark} ${name.padEnd(14)}  ${description}`)
  }
}
