import { Answer, type Static, Type } from '../platform/http/schema.ts'

export const TokenRequestBody = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String({ description: 'Where the client does not authenticate by HTTP Basic.' })),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(
      Type.String({
        description: 'Scopes with spaces between them; all granted ones when left out.',
        examples: ['x-api:view:reports'],
      }),
    ),
  },
  {
    title: 'TokenRequest',
    examples: [
      {
        grant_type: 'client_credentials',
        client_id: 'sandbox-lender',
        client_secret: 'sandbox-lender-secret',
        scope: 'x-api:view:reports',
      },
    ],
  },
)

export const TokenAnswer = Answer('TokenAnswer', {
  access_token: Type.String({
    description: 'A JWT by the profile of RFC 9068, with `subscriber_id`.',
    examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwOi8v.c2lnbmF0dXJl'],
  }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [3600] }),
  scope: Type.String({ examples: ['x-api:view:reports'] }),
})

export const TokenError = Answer('TokenError', {
  error: Type.Enum([
    'invalid_request',
    'invalid_client',
    'unsupported_grant_type',
    'invalid_scope',
    'temporarily_unavailable',
  ]),
  error_description: Type.String({ examples: ['grant_type is required: client_credentials.'] }),
})

export const JwksAnswer = Answer('JwksAnswer', {
  keys: Type.Array(
    Type.Object(
      {
        kty: Type.Literal('EC'),
        crv: Type.Literal('P-256'),
        x: Type.String({ examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'] }),
        y: Type.String({ examples: ['x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'] }),
        kid: Type.String({ examples: ['0b7e6a0e-6c9c-4d6e-9a55-0f1f6d0f2c11'] }),
        alg: Type.Literal('ES256'),
        use: Type.Literal('sig'),
      },
      { additionalProperties: false },
    ),
  ),
})

const Url = (example: string) => Type.String({ examples: [example] })

export const MetadataAnswer = Answer('MetadataAnswer', {
  issuer: Url('http://127.0.0.1:8080'),
  token_endpoint: Url('http://127.0.0.1:8080/oauth/token'),
  jwks_uri: Url('http://127.0.0.1:8080/.well-known/jwks.json'),
  scopes_supported: Type.Array(Type.String({ examples: ['x-api:view:reports'] })),
  response_types_supported: Type.Array(Type.String(), { examples: [[]] }),
  grant_types_supported: Type.Array(Type.Literal('client_credentials')),
  token_endpoint_auth_methods_supported: Type.Array(Type.Enum(['client_secret_basic', 'client_secret_post'])),
  service_documentation: Url('http://127.0.0.1:8080/docs'),
})

export type MetadataAnswer = Static<typeof MetadataAnswer>
