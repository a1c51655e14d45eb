import { createProgram, runProgram } from './program.ts'
import { processTerminal } from './terminal.ts'

process.exitCode = await runProgram(createProgram(processTerminal()), process.argv.slice(2))
