import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { atEnd } from '../../server/test/fixtures/at-end.ts'

// An assistant: the official client library, and `lodgeway mcp` in a process of its own.

const MAIN = resolve(import.meta.dirname, '../src/main.ts')

const READING = ['find_matters', 'explain_matter', 'recent_problems', 'read_docs']
export const TOOLS = [...READING, 'play', 'call_operation']
export const isReading = (tool: string): boolean => READING.includes(tool)

type Said = { text: string; isError: boolean }
export type Assistant = { client: Client; use(name: string, input?: object): Promise<Said> }

export async function startAssistant(url: string, ...options: string[]): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  atEnd(() => client.close())
  const args = [MAIN, 'mcp', '--url', url, ...options]
  const folder = process.env['TEST_FOLDER'] ?? ''
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder } as Record<
    string,
    string
  >
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }))
  return {
    client,
    async use(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
      return { text: content.map((one) => (one.type === 'text' ? one.text : '')).join(''), isError }
    },
  }
}
