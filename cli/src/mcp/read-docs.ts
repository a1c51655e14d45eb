import { misused } from '../failure.ts'
import { nearest } from '../suggest.ts'
import type { Desk, Tool } from './tool.ts'

const ERRORS = '/docs/guide/errors.md'

export const readDocs = (desk: Desk): Tool => ({
  name: 'read_docs',
  title: 'Read the documentation',
  description:
    'The documentation by name: a page of the guide (`webhooks`), an operation (`addTitle`), or an error by its status or name (`409`, `NotFound`). ' +
    'Without a name: the list of everything.',
  input: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, description: 'A page, an operation id, or a status or its name.' },
    },
  },
  isReadOnly: true,
  async run({ name }) {
    const list = async () => (await desk.readPage('/llms.txt')) ?? ''
    if (name === undefined) return list()
    const wanted = String(name).trim()
    const status = /^[45]\d\d$/.test(wanted) ? wanted : statusOf(desk, wanted)
    if (status) return aboutStatus((await desk.readPage(ERRORS)) ?? '', status)
    const address = encodeURIComponent(wanted)
    const page =
      (await desk.readPage(`/docs/guide/${address}.md`)) ?? (await desk.readPage(`/docs/operations/${address}.md`))
    if (page !== undefined) return page
    const names = [...(await list()).matchAll(/\/docs\/(?:guide|operations)\/([\w-]+)\.md/g)].map(
      ([, known = '']) => known,
    )
    const near = nearest(wanted, names)
    throw misused(
      `There is no page ${wanted}. ${near ? `Did you mean ${near}?` : 'Without a name read_docs lists all.'}`,
    )
  },
})

/** Of an answer that operations share, such as `NotFound`. */
function statusOf({ operations }: Desk, name: string): string | undefined {
  const answers = operations.flatMap(({ responses }) => Object.entries(responses))
  return answers.find(([, { $ref = '' }]) => $ref.toLowerCase().endsWith(`/responses/${name.toLowerCase()}`))?.[0]
}

/** The row of the table, and the section if it has one. */
export function aboutStatus(page: string, status: string): string {
  const [head, ...sections] = page.split(/^(?=## )/m)
  const row = head?.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(status))
  const section = sections.find((one) => one.split('\n')[0]?.includes(status))
  if (!row) throw misused(`The service does not answer with ${status}. read_docs with the name errors has the list.`)
  return ['| status | meaning | do | send the same again? |\n|---|---|---|---|', row, section]
    .filter(Boolean)
    .join('\n')
}
