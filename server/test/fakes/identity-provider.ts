import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { atEnd } from '../fixtures/at-end.ts'
import { freePort } from '../fixtures/ports.ts'
import { load } from '../on-demand/on-demand.ts'

export type IdentityProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who sits at the browser, and when this person last typed a password; seconds since 1970. */
  person: { subject: string; authenticatedAt?: number }
}

// What is used here of oidc-provider, which is installed on demand.
type Library = { Provider: new (issuer: string, configuration: object) => Provider }
type Provider = {
  callback(): RequestListener
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: { login: Login }): Promise<void>
  Grant: new (of: {
    clientId: string
    accountId: string
  }) => { addOIDCScope(scope: string): void; save(): Promise<unknown> }
}
type Login = { accountId: string; ts?: number }
type Context = {
  oidc: { client?: { clientId: string }; session?: { accountId?: string }; provider: Provider }
}

/** A real OpenID provider in this process, which asks nobody: it signs in the person that the test names. */
export async function identityProvider(consoleUrl: string): Promise<IdentityProvider> {
  const [{ Provider }, port] = await Promise.all([load<Library>('oidc-provider'), freePort()])
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const issuer = `http://localhost:${port}`
  const state: IdentityProvider = {
    issuer,
    clientId: 'lodgeway',
    clientSecret: 's'.repeat(32),
    person: { subject: '' },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: state.clientId,
        client_secret: state.clientSecret,
        redirect_uris: [`${consoleUrl}/console/signed-in`],
        post_logout_redirect_uris: [`${consoleUrl}/console/out`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    renderError(ctx: { body: unknown }, out: unknown) {
      ctx.body = out
    },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant({ oidc: { client, session, provider: ours } }: Context) {
      const grant = new ours.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    const { subject, authenticatedAt: ts } = state.person
    void provider.interactionFinished(request, response, { login: { accountId: subject, ...(ts && { ts }) } })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  atEnd(() => new Promise((done) => server.close(done)))
  return state
}
