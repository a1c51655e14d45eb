import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Caller } from './guard.ts'

/** Within this process: takes a large answer as the stream that it is made from, in place of its bytes. */
export type PassOn = (stream: Readable) => void

/** Somebody who runs the service. Operators have none of the scopes of partners. `mayChange` needs a recent sign-in. */
export type Operator = { operatorId: string; clientId: string; email: string; mayChange: boolean }

/** For people who signed in: a pass takes the place of a token in one request that this process sends to itself. */
export type Passes = {
  /** The `Authorization` header of that request. */
  issue(bearer: Caller | Operator): string
  take(request: Pick<FastifyRequest, 'raw' | 'headers'>): Caller | Operator | undefined
  withdraw(authorization: string): void
}

const SCHEME = 'Pass '

export function createPasses(): Passes {
  const issued = new Map<string, Caller | Operator>()
  return {
    issue(bearer) {
      const authorization = SCHEME + randomBytes(32).toString('base64url')
      issued.set(authorization, bearer)
      return authorization
    },
    take({ raw, headers: { authorization = '' } }) {
      // Never from the network, although nobody could guess one.
      if (!authorization.startsWith(SCHEME) || raw.socket instanceof Socket) return undefined
      const bearer = issued.get(authorization)
      issued.delete(authorization)
      return bearer
    },
    withdraw: (authorization) => void issued.delete(authorization),
  }
}
