import { Answer, Choice, type Static, Type } from '../platform/http/schema.ts'
import { TOKEN_ERROR_CODES } from './rules.ts'
import { ALL_SCOPES } from './scopes.ts'

export const TokenRequestBody = Type.Object(
  {
    grant_type: Type.Literal('client_credentials', { description: 'The only grant there is.' }),
    client_id: Type.Optional(Type.String({ description: 'If the client does not authenticate by HTTP Basic.' })),
    client_secret: Type.Optional(Type.String({ description: 'With `client_id`, and not together with HTTP Basic.' })),
    scope: Type.Optional(
      Type.String({
        description: 'Scopes with spaces between them; all granted ones when left out.',
        examples: ['x-api:view:reports'],
      }),
    ),
  },
  {
    title: 'TokenRequest',
    maxProperties: 1_000,
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
    pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
    description: 'A JWT by the profile of RFC 9068, with `subscriber_id`.',
    examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwOi8v.c2lnbmF0dXJl'],
  }),
  token_type: Type.Literal('Bearer', { description: 'How it is sent: `Authorization: Bearer …`.' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds.', examples: [3600] }),
  scope: Type.String({
    description: 'The scopes of the token, separated by spaces.',
    examples: ['x-api:view:reports'],
  }),
})

export const TokenError = Answer('TokenError', {
  error: Choice(TOKEN_ERROR_CODES, { description: 'The error code of RFC 6749.' }),
  error_description: Type.String({
    minLength: 1,
    description: 'What is wrong and what is expected, for people.',
    examples: ['grant_type is required: client_credentials.'],
  }),
})

const Coordinate = (axis: string, example: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: `The ${axis} coordinate of the public key, 32 bytes in base64url.`,
    examples: [example],
  })

export const JwksAnswer = Answer('JwksAnswer', {
  keys: Type.Array(
    Type.Object(
      {
        kty: Type.Literal('EC', { description: 'An elliptic curve.' }),
        crv: Type.Literal('P-256', { description: 'Which curve.' }),
        x: Coordinate('x', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
        y: Coordinate('y', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
        kid: Type.String({
          minLength: 1,
          description: 'The `kid` in the header of the tokens that it signed.',
          examples: ['0b7e6a0e-6c9c-4d6e-9a55-0f1f6d0f2c11'],
        }),
        alg: Type.Literal('ES256', { description: 'Accept no other.' }),
        use: Type.Literal('sig', { description: 'For signatures only.' }),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 100, description: 'The key that signs, then those whose tokens may still be valid.' },
  ),
})

const Url = (description: string, example: string) => Type.String({ minLength: 1, description, examples: [example] })

const Supported = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Array(Choice(values), { minItems: 1, maxItems: values.length, uniqueItems: true, description })

export const MetadataAnswer = Answer('MetadataAnswer', {
  issuer: Url('The `iss` of the tokens.', 'http://127.0.0.1:8080'),
  token_endpoint: Url('Where to get tokens.', 'http://127.0.0.1:8080/oauth/token'),
  jwks_uri: Url('Where the public keys are.', 'http://127.0.0.1:8080/.well-known/jwks.json'),
  scopes_supported: Supported(ALL_SCOPES, 'Every scope that a client can be granted.'),
  response_types_supported: Type.Array(Type.String(), {
    maxItems: 0,
    description: 'None: there is no authorisation endpoint.',
    examples: [[]],
  }),
  grant_types_supported: Supported(['client_credentials'], 'The only grant there is.'),
  token_endpoint_auth_methods_supported: Supported(
    ['client_secret_basic', 'client_secret_post'],
    'HTTP Basic, or id and secret in the body.',
  ),
  service_documentation: Url('For people.', 'http://127.0.0.1:8080/docs'),
})

export type MetadataAnswer = Static<typeof MetadataAnswer>
