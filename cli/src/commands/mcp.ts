import { once } from 'node:events'
import { ConnectionError } from '../../../client/src/index.ts'
import { fetchInterface } from '../document.ts'
import { misused } from '../failure.ts'
import { scopesFor } from '../mcp/access.ts'
import type { Desk } from '../mcp/tool.ts'
import { claimsOf } from '../own-side.ts'
import { withExamples } from '../program.ts'
import { connectionTo, type Session } from '../session.ts'
import type { Define } from '../table.ts'

export const define: Define = (command, run) => {
  command
    .description(
      'Serves tools for AI assistants over standard input and output (Model Context Protocol). An assistant starts it itself. ' +
        'In a live service it only reads; nobody can approve or authorise through it.',
    )
    .option('--allow-writes', 'in a live service, offer the operations that change something, decisions apart')
  withExamples(command, [
    ['lodgeway mcp', 'in the sandbox'],
    ['lodgeway mcp --profile production', 'a live service, only to read'],
  ]).action(
    run(async (session, { allowWrites = false }: { allowWrites?: boolean }) => {
      const { terminal, print } = session
      // Loaded here, because no other command needs them.
      const [{ serveStdio, StdioServerTransport }, { assistantServer }, desk] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../mcp/server.ts'),
        openDesk(session, { allowsWrites: allowWrites }),
      ])
      const { profile, url } = desk.connection
      print.note(`lodgeway mcp: ${profile.name} at ${url}, ${desk.access.isLive ? 'live' : 'a sandbox'}`)
      const transport = new StdioServerTransport(terminal.stdin, terminal.stdout)
      const served = serveStdio(() => assistantServer(desk), {
        transport,
        onerror: ({ message }) => print.note(message),
      })
      await once(terminal.stdin, 'end')
      await served.close()
    }),
  )
}

/** The service and what may be done there. The token has the scopes of that, and no others. */
async function openDesk({ terminal, connect }: Session, { allowsWrites }: { allowsWrites: boolean }): Promise<Desk> {
  const whole = connect()
  const [known, isLive, token] = await Promise.all([fetchInterface(terminal, whole), whole.isLive(), whole.token()])
  const access = { isLive, allowsWrites }
  const wanted = scopesFor(known.operations, access, known)
  const scopes = (claimsOf(token).scope ?? '').split(' ').filter((scope) => wanted.has(scope))
  // Without any, it would ask for all that the client has.
  if (scopes.length === 0) throw misused(`The client of ${whole.profile.name} has no scope for what is offered here.`)
  const connection = connectionTo(terminal, whole.profile, scopes.join(' '))
  return {
    ...known,
    connection,
    client: await connection.client(),
    access,
    async readPage(path) {
      const response = await terminal.fetch(connection.url + path).catch((error: unknown) => {
        throw new ConnectionError(1, { operation: `GET ${path}`, address: connection.url, correlationId: '' }, error)
      })
      return response.ok ? response.text() : undefined
    },
  }
}
