import type { FastifyRequest } from 'fastify'
import { MalformedBody } from './validate.ts'

// The size of a body is checked before it is parsed: a megabyte of small values would block the event loop.

export const BODY_BYTES_MAX = 1_048_576
export const BODY_VALUES_MAX = 1_000 // the largest valid body has about 100
export const BODY_DEPTH_MAX = 16

export async function parseJson(_: FastifyRequest, text: string): Promise<unknown> {
  if (text === '') return undefined
  const excess = excessOf(text)
  if (excess) return new MalformedBody(excess)
  try {
    return MAY_NAME_PROTO.test(text) ? JSON.parse(text, refuseProto) : JSON.parse(text)
  } catch {
    return new MalformedBody('The body is not well-formed JSON.')
  }
}

const MAY_NAME_PROTO = /__proto__|\\u005f/i // the underscore may be escaped

// A `__proto__` key could change the object that it is copied to.
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__')
  return value
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET_OPEN, BRACKET_CLOSE, BRACE_OPEN, BRACE_CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts commas and brackets outside strings and stops at the limit. The parser decides whether the text is JSON. */
function excessOf(text: string): string | undefined {
  let values = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      at = endOfString(text, at)
    } else if (character === BRACKET_OPEN || character === BRACE_OPEN) {
      values++
      if (++depth > BODY_DEPTH_MAX) return `The body may be nested at most ${BODY_DEPTH_MAX} levels deep.`
    } else if (character === BRACKET_CLOSE || character === BRACE_CLOSE) depth--
    else if (character === COMMA) values++
    if (values > BODY_VALUES_MAX) return `The body may hold at most ${BODY_VALUES_MAX.toLocaleString('en-GB')} values.`
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) break
    if (character === BACKSLASH) at++
  }
  return at
}
