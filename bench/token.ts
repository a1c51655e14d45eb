import { ALL_SCOPES } from '../server/src/auth/scopes.ts'
import { createIssuer } from '../server/src/auth/tokens.ts'
import { httpSides, type Measurement, type Side } from './harness.ts'
import { type Testbed, tokenRequest } from './testbed.ts'

const CONNECTIONS = 32

/** Issuing a token. Each has a new signature, so signing is a second limit. */
export async function tokenIssue(testbed: Testbed): Promise<Measurement> {
  const { service, raw } = await httpSides(testbed, {
    requests: testbed.callers.map(tokenRequest),
    connections: CONNECTIONS,
  })
  return { name: 'token', title: 'issue a token', service, limits: [raw, signatures(testbed)] }
}

/** Creates and signs the same tokens, as many at a time, without HTTP and without looking up the client. */
function signatures({ keys, callers }: Testbed): Side {
  const issuer = createIssuer(keys, { issuer: 'http://127.0.0.1:8080', audience: 'http://127.0.0.1:8080' }, 3_600)
  return {
    name: 'signing alone',
    async run(seconds) {
      let signed = 0
      const startedAt = performance.now()
      const endsAt = startedAt + seconds * 1000
      const sign = async (): Promise<void> => {
        while (performance.now() < endsAt) {
          const { clientId = '', subscriberId = '' } = callers[signed % callers.length] ?? {}
          await issuer.issue({ clientId, subscriberId, scopes: ALL_SCOPES })
          signed += 1
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, sign))
      return { perSecond: signed / ((performance.now() - startedAt) / 1000) }
    },
  }
}
