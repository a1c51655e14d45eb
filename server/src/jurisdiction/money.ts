// Amounts are decimal pounds on the wire and whole pence inside. A JSON number holds pounds and pence exactly below
// 2^46 pounds, and pence below 2^53; no sum comes near either.

/** Uses the shortest text of the number: multiplying by 100 would round a large amount to another penny. */
export function penceOf(pounds: number): number {
  const [whole = '', part = ''] = String(pounds).split('.')
  return Number(whole + part.padEnd(2, '0'))
}

export const poundsOf = (pence: number): number => pence / 100
