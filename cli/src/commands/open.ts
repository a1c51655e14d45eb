import { withExamples } from '../program.ts'
import { findWorkspaceId } from '../reference.ts'
import type { Define } from '../table.ts'

const PAGES: Readonly<Record<string, string>> = {
  '': '/console/',
  requests: '/console/requests',
  deliveries: '/console/deliveries',
  sandbox: '/console/sandbox',
  docs: '/docs',
  guide: '/docs/guide',
}

export const define: Define = (command, run) => {
  command
    .description('Opens the console or the reference in a browser: a page, or a workspace and one of its pages.')
    .argument(
      '[page]',
      `${Object.keys(PAGES).filter(Boolean).join(', ')}, or a workspace such as NBS-1018 or NBS-1018/names`,
    )
    .option('--print', 'print the address instead')
  withExamples(command, [
    ['lodgeway open', 'the worklist'],
    ['lodgeway open docs', ''],
    ['lodgeway open NBS-1018/names', 'the names of a matter'],
  ]).action(
    run(
      async (
        { connect, print, json, terminal },
        typed: string | undefined,
        { print: isPrinted }: { print?: boolean },
      ) => {
        const page = typed ?? ''
        const connection = connect()
        const known = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined
        const [reference = '', part] = page.split('/')
        const path =
          known ??
          `/console/matters/${await findWorkspaceId(await connection.client(), reference)}${part ? `/${part}` : ''}`
        const address = connection.url + path
        if (json) return print.json({ address })
        print.line(address)
        if (isPrinted) return
        // Without a desktop the address is enough.
        await terminal.browse(address).catch((error: Error) => print.note(`No browser was opened: ${error.message}`))
      },
    ),
  )
}
