// A collection, whatever program it is written for: folders of requests, and the variables that they share.

export type Field = { name: string; value: string; off?: true }

export type Item = {
  /** Its file name, unique in its folder. */
  id: string
  name: string
  description: string
  method: string
  /** With each parameter as `:name`. */
  path: string
  pathParameters: Field[]
  query: Field[]
  headers: Field[]
  /** Whose token it carries. */
  as: Caller | 'nobody'
  body?: Body
  /** The name of the variable that keeps the answer’s ETag. */
  etag?: string
  /** What must be true of the answer. */
  expected?: { status: number; values: Record<string, string> }
  /** Variables that keep a part of the answer, by its JSON pointer. */
  captured?: Record<string, string>
}

export type Caller = 'lender' | 'firm'
export type Body =
  | { type: 'json'; text: string }
  | { type: 'form'; fields: Field[] }
  | { type: 'upload'; fields: Field[] }
export type Folder = { id: string; name: string; description: string; items: Item[] }

export type Collection = {
  folders: Folder[]
  /** Ids that any answer may set: the first in it with this name. */
  ids: string[]
  /** Variables for `If-Match`, which accept any version until an answer sets them. */
  etags: string[]
}

/** What an uploaded file is in the fields of a form. */
export const SAMPLE_FILE = 'sample.pdf'

export const ENVIRONMENT = {
  baseUrl: 'http://127.0.0.1:8080',
  lenderClientId: 'sandbox-lender',
  lenderClientSecret: 'sandbox-lender-secret',
  firmClientId: 'sandbox-law-firm',
  firmClientSecret: 'sandbox-law-firm-secret',
}

export const ABOUT = `Every operation of the Lodgeway interface, and a whole matter to run at once.

Start the sandbox, choose the environment **Sandbox**, and run the folder **First matter**. Its requests set the
variables that the requests of the other folders use: \`workspaceId\`, \`lodgementCaseId\` and so on. Any other answer sets
them too: of a list, those of its first record. A request reads its \`If-Match\` from the last answer that had an ETag of
the same thing. Tokens are fetched by themselves. Parameters that may be left out are switched off.

Generated from openapi.json. Change your own copy, not this one.`
