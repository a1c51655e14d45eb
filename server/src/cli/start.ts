import { processTerminal } from '../../../cli/src/terminal.ts'
import { runCommandLine } from './command-line.ts'

// What `lodgeway` does, once the right Node runs it.

const exitCode = await runCommandLine(process.argv.slice(2), processTerminal())
if (exitCode) process.exitCode = exitCode // a command that ran may have set another one
