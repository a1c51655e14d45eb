import { Answer, type Static, Type } from '../platform/schema.ts'

export const TokenRequestBody = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String({ description: 'Where the client does not authenticate by HTTP Basic.' })),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(
      Type.String({ description: 'Scopes with spaces between them; all granted ones when left out.' }),
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
  access_token: Type.String({ description: 'A JWT by the profile of RFC 9068, with `subscriber_id`.' }),
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
        x: Type.String(),
        y: Type.String(),
        kid: Type.String(),
        alg: Type.Literal('ES256'),
        use: Type.Literal('sig'),
      },
      { additionalProperties: false },
    ),
  ),
})

export const MetadataAnswer = Answer('MetadataAnswer', {
  issuer: Type.String(),
  token_endpoint: Type.String(),
  jwks_uri: Type.String(),
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  service_documentation: Type.String(),
})

export type TokenAnswer = Static<typeof TokenAnswer>
