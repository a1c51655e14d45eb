// What both programs run after an answer, in the words of each.

/** Keeps the first of each id that a successful answer has. */
export const keepIds = (ids: readonly string[], body: string, isDone: string, set: string): string => `\
const ids = ${JSON.stringify(ids)}
const firstOf = (value, name) => {
  if (typeof value !== "object" || value === null) return undefined
  if (typeof value[name] === "string") return value[name]
  for (const one of Object.values(value)) {
    const found = firstOf(one, name)
    if (found) return found
  }
}
if (${isDone}) {
  for (const name of ids) {
    const found = firstOf(${body}, name)
    if (found) ${set}(name, found)
  }
}`

/** A JSON pointer as an expression: `/records/0/date` is `.records[0].date`. */
export const expressionOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/(^|\/)(\d+)/g, '[$2]')
    .replaceAll('/', '.')
    .replace(/^(?!\[)/, '.')
