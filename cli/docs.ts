import { readFile, writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { createProgram, defineCommand, leavesOf } from './src/program.ts'
import { processTerminal } from './src/terminal.ts'

// `npm run cli-docs`: makes docs/cli.md from the definitions of the commands. A test fails when it is stale.

export const DOCS = new URL('../docs/cli.md', import.meta.url)

const HEAD = `# The commands for integrators

Generated from the commands themselves: \`npm run cli-docs\` writes it again. [cli/README.md](../cli/README.md) is the place to
begin; [operations.md](operations.md#commands) has the commands of operators.
`

export async function docsText(): Promise<string> {
  const stdout = new PassThrough({ encoding: 'utf8' })
  const program = createProgram({ ...processTerminal(), stdout, stderr: stdout })
  for (const { name } of program.entries) await defineCommand(program, name)
  const helpOf = (command: Command): string => {
    command.outputHelp()
    return String(stdout.read()).trimEnd()
  }
  const sections = program.root.commands.flatMap((command) => {
    const leaves = leavesOf(command)
    const name = command.name()
    const own = `\n## ${name}\n`
    const group = leaves.length > 1 || leaves[0] !== command ? [own, `\n${command.description()}\n`] : [own]
    return [...group, ...leaves.map((leaf) => `\n\`\`\`text\n${helpOf(leaf)}\n\`\`\`\n`)]
  })
  return HEAD + sections.join('')
}

export const readDocs = (): Promise<string> => readFile(DOCS, 'utf8')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeFile(DOCS, await docsText())
