// After `npm ci`, run by the Node that npm installed, or by any other: says what the warnings are worth that npm prints
// where an older one runs npm.

const [, runsNpm = ''] = /node\/(v\d+\S*)/.exec(process.env['npm_config_user_agent'] ?? '') ?? []
const isOlder = (one, other) => Number.parseInt(one.slice(1), 10) < Number.parseInt(other.slice(1), 10)

if (runsNpm && isOlder(runsNpm, process.version)) {
  process.stdout.write(
    `The warnings EBADENGINE above do no harm: they are about Node ${runsNpm}, which runs npm. npm has installed ` +
      `Node ${process.version} for this repository, and every npm script and \`npx lodgeway\` run on it.\n`,
  )
}
