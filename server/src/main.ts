#!/usr/bin/env -S node --no-allocation-site-pretenuring
import { enableCompileCache } from 'node:module'
import { processTerminal } from '../../cli/src/terminal.ts'
import { runCommandLine } from './cli/command-line.ts'

// docs/performance.md explains the flag in the first line.

enableCompileCache()
const exitCode = await runCommandLine(process.argv.slice(2), processTerminal())
if (exitCode) process.exitCode = exitCode // a command that ran may have set another one
