import { LodgewayError } from '../../../client/src/index.ts'
import { html, type Markup } from './html.ts'

// A part of a page that comes from a call of its own fails alone.

export type Part<T> = { data: T } | { failed: string }

export async function orFailure<T>(reading: Promise<T>): Promise<Part<T>> {
  try {
    return { data: await reading }
  } catch (error) {
    if (!(error instanceof LodgewayError)) throw error
    return { failed: 'correlationId' in error ? String(error.correlationId) : '' }
  }
}

/** The part, or a sentence that says that it is missing. */
export const shown = <T>(part: Part<T>, what: string, show: (data: T) => Markup): Markup =>
  'data' in part
    ? show(part.data)
    : html`<p class="bad">${what} could not be read. <a href="">Try again</a> <small>${part.failed}</small></p>`
