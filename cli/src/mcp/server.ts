import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { explain } from '../explain.ts'
import { Failure, misused } from '../failure.ts'
import { VERSION } from '../version.ts'
import { callOperation } from './call-operation.ts'
import { explainMatter } from './explain-matter.ts'
import { findMatters } from './find-matters.ts'
import { play } from './play.ts'
import { readDocs } from './read-docs.ts'
import { recentProblems } from './recent-problems.ts'
import type { Desk, Tool } from './tool.ts'

/** More is too much for an assistant to read. */
const CHARACTERS_MAX = 60_000

export const toolsFor = (desk: Desk): Tool[] => [
  ...[findMatters, explainMatter, recentProblems, readDocs].map((tool) => tool(desk)),
  ...(desk.access.isLive ? [] : [play(desk)]),
  callOperation(desk),
]

/** A server with the tools of an assistant. */
export function assistantServer(desk: Desk): McpServer {
  const server = new McpServer({ name: 'lodgeway', version: VERSION }, { instructions: instructionsFor(desk) })
  for (const { name, title, description, input, isReadOnly, run } of toolsFor(desk)) {
    const hints = { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, openWorldHint: false }
    const config = {
      title,
      description,
      inputSchema: fromJsonSchema<Record<string, unknown>>(input),
      annotations: hints,
    }
    server.registerTool(name, config, async (given) => {
      try {
        checkNames(name, given, input.properties)
        return { content: [{ type: 'text', text: textOf(await run(given)) }] }
      } catch (error) {
        return { content: [{ type: 'text', text: explanationOf(error, desk.connection.url) }], isError: true }
      }
    })
  }
  return server
}

/** Here and not in the schema, whose message names neither what is wrong nor what is right. */
function checkNames(tool: string, given: object, properties: object): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0)
    throw misused(`${tool} has no ${unknown.join(', ')}. It takes: ${Object.keys(properties).join(', ')}.`)
}

const instructionsFor = ({ access, connection }: Desk): string =>
  [
    `Lodgeway runs remortgages for lenders and law firms. This is ${access.isLive ? 'a live service' : 'a sandbox'} at ${connection.url}.`,
    'To answer why a matter has not moved, use explain_matter. To answer why a call or a webhook failed, use recent_problems.',
    'Before you write code against the interface, or call an operation, read it with read_docs.',
    ...(access.isLive
      ? ['Approving and authorising are for people: say who must do what, and do not look for another way.']
      : []),
  ].join(' ')

function textOf(result: unknown): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  if (text.length <= CHARACTERS_MAX) return text
  return `${text.slice(0, CHARACTERS_MAX)}\n… The rest is left out: it has ${text.length} characters. Ask for less, for example with \`limit\`.`
}

/** With the correlation id and the page of the guide, where the service refused it. */
function explanationOf(error: unknown, url: string): string {
  if (error instanceof Failure) return error.message
  const { lines } = explain(error, url) ?? { lines: [`Something went wrong in lodgeway mcp: ${error}`] }
  return lines.join('\n')
}
