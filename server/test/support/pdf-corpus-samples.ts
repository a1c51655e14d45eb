/** A file to be judged, made by code when it is asked for. */
export type GoodPdf = { name: string; verdict: 'good'; pages: number; bytes: Made }
/** The verdict is what the reason must say. */
export type BadPdf = { name: string; verdict: RegExp; bytes: Made }

export type Made = () => Buffer | Promise<Buffer>

export const good = (name: string, bytes: Made, pages = 1): GoodPdf => ({ name, verdict: 'good', pages, bytes })

export const bad = (verdict: RegExp, made: Record<string, Made>): BadPdf[] =>
  Object.entries(made).map(([name, bytes]) => ({ name, verdict, bytes }))
