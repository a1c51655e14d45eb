import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startControlServer } from './control-server.ts'
import { startGateway } from './gateway.ts'

// `npm run registry-stub [-- <port>]`: the stand-in gateway, until it is stopped. The storage has the next port, and the
// control the one after it.

const PORT = Number(process.argv[2] ?? 8443)

const gateway = await startGateway({ port: PORT })
const control = await startControlServer(gateway.control, PORT && PORT + 2)
const folder = await mkdtemp(join(tmpdir(), 'registry-stub-'))
const files = { 'ca.pem': gateway.ca, 'client.pem': gateway.clientCert, 'client.key': gateway.clientKey }
for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o600 })

process.stdout.write(
  `${[
    `REST     ${gateway.restUrl}`,
    `SOAP     ${gateway.soapUrl}`,
    `Control  ${control.url}   (GET / lists the commands)`,
    ...Object.keys(files).map((name) => `File     ${join(folder, name)}`),
    ...gateway.accounts.map(({ username, password }) => `Account  ${username} ${password}`),
    '',
    `curl -X POST -H "content-type: application/json" -d '{"advanceMs": 86400000}' ${control.url}/clock`,
  ].join('\n')}\n`,
)
