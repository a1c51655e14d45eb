import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readWorkflow } from '../arazzo.ts'
import { brunoFiles } from './bruno.ts'
import { firstMatterOf, type Workflow } from './first-matter.ts'
import { type Collection, SAMPLE_FILE } from './model.ts'
import { type Document, referenceOf } from './operations.ts'
import { postmanFiles } from './postman.ts'

// `npm run collections`: makes collections/bruno and collections/postman. A test fails when they are stale.

const ROOT = resolve(import.meta.dirname, '../../../..')
const WORKFLOW = join(ROOT, 'workflows/straight-through.arazzo.yaml')

export async function collectionOf(): Promise<Collection> {
  const document: Document = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8'))
  const workflow = readWorkflow(await readFile(WORKFLOW, 'utf8')) as Workflow
  const reference = referenceOf(document)
  return { ...reference, folders: [firstMatterOf(document, workflow, reference.ids), ...reference.folders] }
}

/** All text files, by their paths below collections/. */
export const filesOf = (collection: Collection): Map<string, string> =>
  new Map([
    ...[...brunoFiles(collection)].map(([path, text]) => [`bruno/${path}`, text] as const),
    ...[...postmanFiles(collection)].map(([path, text]) => [`postman/${path}`, text] as const),
  ])

if (process.argv[1] === import.meta.filename) {
  const folder = join(ROOT, 'collections')
  const files = filesOf(await collectionOf())
  for (const program of ['bruno', 'postman']) {
    await rm(join(folder, program), { recursive: true, force: true })
    await mkdir(join(folder, program), { recursive: true })
    await cp(join(ROOT, 'workflows/sample.pdf'), join(folder, program, SAMPLE_FILE))
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
