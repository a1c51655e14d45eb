const DISTANCE_MAX = 3

/** The word that was probably meant. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase()
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(wanted, word.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
  return best && best.distance <= DISTANCE_MAX && best.distance < typed.length / 2 ? best.word : undefined
}

/** How many letters must be changed, added or removed. */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[other.length] ?? 0
}
