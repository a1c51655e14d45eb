import type { Configuration } from 'openid-client'
import { describeError, unavailable } from '../platform/errors.ts'
import { CONSOLE_PATH } from './rules.ts'
import type { ConsoleSettings } from './settings.ts'

// OpenID Connect: the code flow with PKCE, state and nonce. The library checks the ID token.

/** What the answer of the provider must fit. It belongs to one browser. */
export type Checks = { state: string; nonce: string; verifier: string; maxAgeSeconds?: number }

/** Whom the provider saw, and when, if it says so. */
export type Identity = { issuer: string; subject: string; authenticatedAt: Date | undefined }

export type Provider = {
  name: string
  /** Where to send the browser. `maxAgeSeconds`: somebody who signed in longer ago must do it again. */
  begin(maxAgeSeconds?: number): Promise<{ address: string; checks: Checks }>
  /** Undefined where the answer is not for these checks, or the person refused. */
  finish(answer: URL, checks: Checks): Promise<Identity | undefined>
  /** Where to end the session at the provider, if it has such a page. */
  signOutAddress(): Promise<string | undefined>
}

type Options = NonNullable<ConsoleSettings['provider']> & { publicUrl: string; warn(message: string): void }

const ANSWER_SECONDS_MAX = 5

/** To be registered at the provider. */
export const redirectAddress = (publicUrl: string): string => `${publicUrl}${CONSOLE_PATH}/signed-in`

// Loaded where somebody signs in: it would take a tenth of the start.
async function discover({ issuer, clientId, clientSecret }: NonNullable<ConsoleSettings['provider']>) {
  const oidc = await import('openid-client')
  const config: Configuration = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: ANSWER_SECONDS_MAX,
    execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
  })
  return { oidc, config }
}

export function openProvider({ publicUrl, warn, ...settings }: Options): Provider {
  let discovered: ReturnType<typeof discover> | undefined

  // Read when it is first needed, so that a provider that is down keeps no node from starting.
  const configuration = () => {
    discovered ??= discover(settings).catch((error) => {
      discovered = undefined
      warn(`The identity provider cannot be read: ${describeError(error)}`)
      throw unavailable('The identity provider does not answer. Please try again.')
    })
    return discovered
  }

  return {
    name: new URL(settings.issuer).host,

    async begin(maxAgeSeconds) {
      const { oidc, config } = await configuration()
      const age = maxAgeSeconds === undefined ? {} : { maxAgeSeconds }
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        ...age,
      }
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectAddress(publicUrl),
        scope: 'openid',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
      })
      return { address: address.href, checks }
    },

    async finish(answer, { state, nonce, verifier, maxAgeSeconds }) {
      const { oidc, config } = await configuration()
      const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }
      try {
        const tokens = await oidc.authorizationCodeGrant(config, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          ...age,
        })
        const claims = tokens.claims()
        if (!claims) return undefined
        const seconds = claims.auth_time
        const authenticatedAt = seconds === undefined ? undefined : new Date(seconds * 1_000)
        return { issuer: claims.iss, subject: claims.sub, authenticatedAt }
      } catch (error) {
        warn(`A sign-in failed: ${describeError(error)}`)
        return undefined
      }
    },

    async signOutAddress() {
      const { oidc, config } = await configuration()
      if (!config.serverMetadata().end_session_endpoint) return undefined
      const back = `${publicUrl}${CONSOLE_PATH}/out`
      return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href
    },
  }
}
