import { readFile, writeFile } from 'node:fs/promises'
import { methodsText } from './generate-methods.ts'
import { type Document, typesText } from './generate-types.ts'

// `npm run python`: makes schema.py and operations.py from openapi.json. A test fails when they are stale.

const HEADER = '# Generated from openapi.json. Renew it by `npm run python`; do not change it by hand.\n'

/** The text of each generated file, by its name in src/lodgeway. */
export async function pythonFiles(): Promise<Record<string, string>> {
  const text = await readFile(new URL('../openapi.json', import.meta.url), 'utf8')
  const document = JSON.parse(text) as Document
  return { 'schema.py': HEADER + typesText(document), 'operations.py': HEADER + methodsText(document) }
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(await pythonFiles())) {
    await writeFile(new URL(`src/lodgeway/${name}`, import.meta.url), text)
  }
}
