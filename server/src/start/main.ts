#!/usr/bin/env -S node --no-allocation-site-pretenuring --max-semi-space-size=8

// docs/decisions/0022-two-flags-of-v8.md explains the flags in the first line. This file is plain JavaScript, CommonJS by the
// package.json beside it, and main.ts of the folder above is a link to it: so a Node that knows no TypeScript runs it too, and
// says what to do.

const [major] = process.versions.node.split('.')
if (Number(major) < 24) {
  process.stderr.write(
    `Lodgeway needs Node 24, and this is ${process.version}. npm has installed the right one: type \`npx lodgeway\`, or \`npx node\` instead of \`node\`.\n`,
  )
  process.exitCode = 1
} else {
  process.getBuiltinModule('node:module').enableCompileCache()
  void import('../cli/start.ts')
}
