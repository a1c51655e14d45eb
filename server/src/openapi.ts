import type { RouteOptions } from 'fastify'
import { SCOPES } from './auth/scopes.ts'
import { webhookAnswers, webhookSchemas } from './events/document.ts'
import type { App } from './platform/http/http.ts'
import { API_VERSION } from './platform/http/version.ts'
import { buildOpenApi, type OpenApiDocument, printOpenApi } from './platform/openapi/openapi.ts'

// The OpenAPI document, generated from the routes.

const DESCRIPTION = `Lenders and law firms in England and Wales run remortgages through this interface.

Get an access token at \`/oauth/token\` and send it as \`Authorization: Bearer …\`. Every response has
\`X-Request-Correlation-Id\`; quote it when you ask for help. Errors always have one shape, \`{"errors": [{"field",
"message"}]}\`, and name everything that is wrong at once. A POST may have an \`Idempotency-Key\`: repeated within 24
hours it returns the first response and does nothing again.`

const TAGS = [
  { name: 'Authentication', description: 'Access tokens and the keys they are signed with.' },
  { name: 'Workspaces', description: 'The matter: who borrows, from whom, on which property.' },
  { name: 'Titles', description: 'The title at the registry, and the documents it issues.' },
  { name: 'Title reconciliation', description: 'Matching borrowers with registered proprietors.' },
  { name: 'Representation', description: 'Who acts for each party.' },
  { name: 'Lodgement', description: 'The case that is lodged at the registry.' },
  { name: 'Settlement', description: 'The money: where it comes from, where it goes, and who authorises it.' },
  { name: 'Documents', description: 'Uploading documents to a workspace or an application, and getting them back.' },
  { name: 'Reports', description: 'What happened, for each London date, as CSV.' },
  { name: 'Notifications', description: 'Learn what happened: webhooks, and a feed to read.' },
  { name: 'Requests', description: 'Your own calls, and why one of them failed.' },
  { name: 'Health', description: 'Whether this node is alive and ready.' },
  { name: 'Sandbox', description: 'Control of the sandbox. None of this exists outside it.' },
]

export const openApiOf = (routes: readonly RouteOptions[]): Promise<OpenApiDocument> =>
  buildOpenApi({
    routes,
    title: 'Lodgeway',
    version: API_VERSION.slice(1),
    description: DESCRIPTION,
    scopes: SCOPES,
    servers: [{ url: '/', description: 'Where this document was read.' }],
    tags: TAGS,
    webhooks: webhookSchemas(),
    webhookAnswers,
  })

/** `/openapi.json`, made when it is first asked for, as that would be a fifth of the start. Returns the document. */
export function documentRoutes(app: App, routes: readonly RouteOptions[]): () => Promise<OpenApiDocument> {
  const document = once(() => openApiOf(routes))
  // Bytes are shared by all responses; text would be copied for each.
  const json = once(async () => Buffer.from(printOpenApi(await document())))
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { scope: 'none', undocumented: true },
    handler: async (_, reply) => reply.type('application/json; charset=utf-8').send(await json()),
  })
  return document
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
