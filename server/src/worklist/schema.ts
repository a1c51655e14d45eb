import { Answer, Type } from '../platform/http/schema.ts'
import { TaskName, WhoName } from '../workspaces/shapes.ts'
import { TASKS_OF, WHOS } from '../workspaces/status.ts'
import { COUNT_MAX } from './store.ts'

const Count = Type.Integer({
  minimum: 0,
  maximum: COUNT_MAX,
  description: `How many there are; ${COUNT_MAX} means that many or more.`,
  examples: [17],
})

export const WorkspaceCounts = Answer('WorkspaceCounts', {
  turns: Type.Array(Answer('TurnCount', { turn: WhoName, count: Count }), {
    minItems: WHOS.length,
    maxItems: WHOS.length,
    description: 'Of your open workspaces, by whose turn it is.',
  }),
  tasks: Type.Array(Answer('TaskCount', { task: TaskName, count: Count }), {
    maxItems: TASKS_OF.LAW_FIRM.length,
    description: 'Of those in which it is your turn, by what is to be done.',
  }),
})
