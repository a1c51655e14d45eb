import { globSync, readFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import type { Schema } from '../fakes/business-gateway/schemas.ts'

// What HM Land Registry publishes, read from folders that a person has. Nothing of it is in this repository.

export type Contract = {
  name: string
  paths: Record<string, PathItem>
  components: { schemas: Record<string, Schema> }
}
export type Xsd = { namespace: string; root: string; text: string }
export type Example = { where: string; status: number; body: unknown }

type Content = { content?: Record<string, { schema?: Schema; examples?: Record<string, { value: unknown }> }> }
type PathItem = Record<string, { requestBody?: Content; responses?: Record<string, Content> }>

export type Pack = { xsds: Xsd[]; contracts: Contract[]; answers: Example[]; malformed: string[] }

/** Folders are separated as in PATH. */
export function readPack(folders: string): Pack {
  const files = folders.split(delimiter).flatMap((folder) =>
    globSync('**/*.{xsd,json,md}', { cwd: folder }).map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, text }
    }),
  )
  const contracts = files.filter(({ name }) => name.endsWith('.json')).flatMap(contractIn)
  const blocks = files.filter(({ name }) => name.endsWith('.md')).flatMap(blocksIn)
  return {
    xsds: files.filter(({ name }) => name.endsWith('.xsd')).map(({ text }) => xsdIn(text)),
    contracts,
    answers: [...contracts.flatMap(examplesIn), ...blocks.filter((one) => 'body' in one)],
    malformed: blocks.flatMap((one) => ('problem' in one ? [`${one.where}: ${one.problem}`] : [])),
  }
}

type File = { name: string; text: string }

function contractIn({ name, text }: File): Contract[] {
  const json = JSON.parse(text) as Contract & { openapi?: string }
  return json.openapi ? [{ ...json, name }] : []
}

const xsdIn = (text: string): Xsd => ({
  namespace: /targetNamespace="([^"]+)"/.exec(text)?.[1] ?? '',
  root: /<xs:element\s+name="([^"]+)"/.exec(text)?.[1] ?? '',
  text,
})

/** The examples of the answers of a contract. */
const examplesIn = ({ name, paths }: Contract): Example[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ responses = {} }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).flatMap(({ examples = {} }) =>
          Object.entries(examples).map(([title, { value }]) => ({
            where: `${name} ${path} ${title}`,
            status: Number(status),
            body: value,
          })),
        ),
      ),
    ),
  )

/** The JSON of a page that is not below the heading of a request. */
function blocksIn({ name, text }: File): (Example | { where: string; problem: string })[] {
  const found: (Example | { where: string; problem: string })[] = []
  let [heading, status, block, line] = ['', 0, undefined as string | undefined, 0]
  for (const one of text.split('\n')) {
    line += 1
    if (one.startsWith('```')) {
      if (block?.trimStart().startsWith('{') && !/^#+ Request/.test(heading)) {
        found.push(parsed(`${basename(name)}:${line}`, status, block))
      }
      block = block === undefined ? '' : undefined
    } else if (block !== undefined) block += `${one}\n`
    else if (one.startsWith('#')) heading = one
    else status = Number(/^Status: `(\d+)`/.exec(one)?.[1] ?? status)
  }
  return found
}

function parsed(where: string, status: number, text: string) {
  try {
    const body: unknown = JSON.parse(text)
    return /"additionalprop1"/i.test(text) ? { where, problem: 'it has placeholders' } : { where, status, body }
  } catch (error) {
    const quotes = /[“”]/.test(text) ? 'it has typographic quotes' : String((error as Error).message)
    return { where, problem: quotes }
  }
}
