import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

// The exports of the package and the examples in their documentation.

const CLIENT = resolve(import.meta.dirname, '../..')
const DOORS = ['src/index.ts', 'src/webhooks.ts']

export type Export = { door: string; name: string; about: string; example: string }

/** All exports with their documentation. */
export function exportsOf(): Export[] {
  const program = ts.createProgram(
    DOORS.map((door) => join(CLIENT, door)),
    { module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
  )
  const checker = program.getTypeChecker()
  return DOORS.flatMap((door) => {
    const file = program.getSourceFile(join(CLIENT, door))
    const module = file && checker.getSymbolAtLocation(file)
    if (!module) throw new Error(`${door} exports nothing`)
    return checker.getExportsOfModule(module).map((found) => {
      const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
      const example = symbol.getJsDocTags(checker).find(({ name }) => name === 'example')
      return {
        door,
        name: found.name,
        about: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        example: codeOf(ts.displayPartsToString(example?.text))[0] ?? '',
      }
    })
  })
}

/** The pieces of TypeScript in README.md. */
export const readmeExamples = (): string[] => codeOf(readFileSync(join(CLIENT, 'README.md'), 'utf8'))

const codeOf = (text: string): string[] => [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
