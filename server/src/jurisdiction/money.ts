// Amounts are decimal pounds on the wire and whole pence inside. A JSON number holds pounds and pence exactly below
// 2^46 pounds, and pence below 2^53; nothing that the house adds up comes near either.

/** By the amount's shortest text: a product with 100 would be rounded, for large amounts to another penny. */
export function penceOf(pounds: number): number {
  const [whole = '', part = ''] = String(pounds).split('.')
  return Number(whole + part.padEnd(2, '0'))
}

export const poundsOf = (pence: number): number => pence / 100
