import { resolve } from 'node:path'
import { APPLICATION_TRANSITIONS, CASE_TRANSITIONS } from '../../src/lodgement/status.ts'
import { SCHEDULE_TRANSITIONS } from '../../src/settlement/status.ts'
import {
  canBeCancelled,
  isHardLocked,
  isLocked,
  isOpen,
  type Part,
  WORKSPACE_STATUSES,
  WORKSPACE_TRANSITIONS,
  type WorkspaceStatus,
} from '../../src/workspaces/status.ts'
import { replaceFile } from './replace-file.ts'

// docs/states.md, drawn from the code. `npm run states` updates it.

export const STATES_PAGE = resolve(import.meta.dirname, '../../../docs/states.md')

type Machine = {
  of: string
  /** Its first event and status. */
  begins: { event: string; status: string }
  transitions: Record<string, Partial<Record<string, string>>>
}

const MACHINES: Machine[] = [
  {
    of: 'A workspace',
    begins: { event: 'created', status: 'CREATED' },
    transitions: WORKSPACE_TRANSITIONS,
  },
  {
    of: 'A lodgement case',
    begins: { event: 'workspace created', status: 'CREATED' },
    transitions: CASE_TRANSITIONS,
  },
  {
    of: 'An application',
    begins: { event: 'its cause arises', status: 'DRAFT' },
    transitions: APPLICATION_TRANSITIONS,
  },
  {
    of: 'A settlement schedule',
    begins: { event: 'workspace created', status: 'DRAFT' },
    transitions: SCHEDULE_TRANSITIONS,
  },
]

export function statesPage(): string {
  return `# States

Drawn from the code: \`status.ts\` in \`server/src/workspaces\`, \`lodgement\` and \`settlement\`. A test fails when this
page is not what the code says, and \`npm run states\` renews it. What is not drawn is refused with 409.

${MACHINES.map((machine) => `## ${machine.of}\n\n${stateDiagram(machine)}`).join('\n\n')}

## What may be changed

${openTable()}

"While rejected": only while the lodgement case is \`${REJECTED}\`. \`isEffective\` of the deed, alone, may also be
changed from the approval of the case until it is sent, and the discharge with its documents also while the case is
\`PARTIALLY_REGISTERED\`.
`
}

/** As Mermaid, which GitHub and most editors draw. */
export function stateDiagram({ begins, transitions }: Machine): string {
  const ways = Object.entries(transitions).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `${from} --> ${to}: ${event}`),
  )
  const ends = Object.keys(transitions).filter((status) => Object.keys(transitions[status] ?? {}).length === 0)
  const lines = [`[*] --> ${begins.status}: ${begins.event}`, ...ways, ...ends.map((status) => `${status} --> [*]`)]
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n')
}

const PARTS: Part[] = ['parties, title and representation', 'applications and their documents', 'schedule', 'files']
const REJECTED = 'REGISTRATION_REJECTED'

function openTable(): string {
  const head = ['workspace', ...PARTS, 'cancel', 'isLocked', 'hardLocked']
  const rows = WORKSPACE_STATUSES.map((status) => [
    `\`${status}\``,
    ...PARTS.map((part) => openness(status, part)),
    ...[canBeCancelled, isLocked, isHardLocked].map((holds) => (holds(status) ? 'yes' : 'no')),
  ])
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function openness(status: WorkspaceStatus, part: Part): string {
  if (isOpen(status, part, 'CREATED')) return 'yes'
  return isOpen(status, part, REJECTED) ? 'while rejected' : 'no'
}

if (process.argv[1] === import.meta.filename) await replaceFile(STATES_PAGE, statesPage())
