#!/usr/bin/env -S node --no-allocation-site-pretenuring
import { enableCompileCache } from 'node:module'
import { explain, runCommandLine } from './cli/command-line.ts'

// docs/performance.md explains the flag in the first line.

enableCompileCache()
try {
  const text = await runCommandLine(process.argv.slice(2))
  process.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
