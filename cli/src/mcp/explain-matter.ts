import { randomUUID } from 'node:crypto'
import { TASKS, TURNS } from '../words.ts'
import { type Desk, findMatter, type Tool } from './tool.ts'

const EVENTS_SHOWN = 15

export const explainMatter = (desk: Desk): Tool => ({
  name: 'explain_matter',
  title: 'Explain a matter',
  description:
    'Says why a matter has not moved: whose turn it is, which rules fail and with which operation each can be fixed, what the ' +
    'registry or the bank refused, what the service will do next, and what happened last.',
  input: {
    type: 'object',
    properties: {
      matter: { type: 'string', minLength: 2, description: 'Its reference, its LW number or its workspaceId.' },
    },
    required: ['matter'],
  },
  isReadOnly: true,
  async run({ matter }) {
    const correlationId = randomUUID()
    const workspaceId = await findMatter(desk, matter)
    const { client } = desk
    const path = { workspace_id: workspaceId }
    const [workspace, readiness, cases, plan, timeline, fixes] = await Promise.all([
      client.getWorkspace({ path, correlationId }),
      client.getWorkspaceReadiness({ path, correlationId }),
      client.getLodgementCases({ query: path, correlationId }),
      client.getPlan({ path, correlationId }),
      lastEvents(desk, workspaceId, correlationId),
      readFixes(desk),
    ])
    const { reference, workspaceReferenceId, status, turn, completionDate, isLocked, canBeCancelled } = workspace
    const [lodgement] = cases.records
    return {
      correlationId,
      matter: { workspaceId, workspaceReferenceId, reference, status, completionDate, isLocked, canBeCancelled },
      turn: turn && { ...turn, inWords: `${TURNS[turn.who]}: ${TASKS[turn.task]}` },
      failing: readiness.records
        .filter(({ passed }) => !passed)
        .map(({ ruleId, approval, kind, field, message }) => ({
          ruleId,
          approval,
          kind,
          field,
          message,
          ...fixes.get(ruleId),
        })),
      case: lodgement && {
        lodgementCaseId: lodgement.lodgementCaseId,
        status: lodgement.lodgementCaseStatus,
        titleSearch: lodgement.lastTitleSearchStatus,
        titleSearchFailure: lodgement.titleSearchFailure,
        rejection: lodgement.rejection,
        requisition: lodgement.requisition,
      },
      planned: plan.records,
      lastEvents: timeline,
    }
  },
})

/** The timeline is oldest first. */
async function lastEvents({ client }: Desk, workspaceId: string, correlationId: string): Promise<unknown[]> {
  const input = { path: { workspace_id: workspaceId }, query: { limit: 100 }, correlationId }
  const events: unknown[] = []
  for await (const event of client.records('getTimeline', input)) events.push(event)
  return events.slice(-EVENTS_SHOWN)
}

type Fix = { passesWhen: string; fixWith: string[]; example: string }

const ROW = /^\| `([\w-]+)` \| `\w+` \| (.+?) \| (.+?) \| (.+?) \|$/gm

/** What the guide says about each rule. */
async function readFixes({ readPage }: Desk): Promise<Map<string, Fix>> {
  const page = (await readPage('/docs/guide/what-blocks.md')) ?? ''
  return new Map(
    [...page.matchAll(ROW)].map(([, rule = '', passesWhen = '', operations = '', example = '']) => [
      rule,
      { passesWhen, fixWith: [...operations.matchAll(/`(\w+)`/g)].map(([, id = '']) => id), example },
    ]),
  )
}
