#!/usr/bin/env -S node --no-allocation-site-pretenuring --max-semi-space-size=8
import { existsSync } from 'node:fs'

// The one `lodgeway`. In a clone it is the service's command line, which has the operator's commands as well and hands the
// others to this package. docs/performance.md explains the flags.

const service = new URL('../../server/src/main.ts', import.meta.url)
const isClone = existsSync(service)
if (isClone && !process.features.typescript) {
  process.stderr.write(
    `In a clone, type \`npx lodgeway\`: it runs on the Node that npm installed. This is ${process.version}.\n`,
  )
  process.exit(1)
}
await import(isClone ? service.href : '../dist/cli/src/main.js')
