/**
 * A stand-in for HM Land Registry's Business Gateway, written from its published documentation. By hand:
 * `npm run registry-stub`. In a test:
 *
 *     const gateway = await startGateway({ now: () => clock.now() })
 *     // REST at gateway.restUrl (`…/bg2/api`, then `/v1/…`), SOAP at gateway.soapUrl (`…/b2b/BGSoapEngine`, then
 *     // `/OfficialCopyWithSummaryV2_1WebService` and `/OfficialCopyWithSummaryV2_1PollRequestWebService`).
 *     // Both need mutual TLS: trust `ca`, send `clientCert` and `clientKey`; and an account: HTTP Basic or UsernameToken.
 *     gateway.control.fail({ path: /applications$/, every: 10, effect: { kind: 'drop', when: 'after' } })
 *     await gateway.close()
 *
 * What decides the course of things:
 *
 * - Time is `control.now()`. Decisions take as long as those of the sandbox's registry: accepted after a day, completed
 *   five days later on a business day.
 * - A title number, as with the sandbox's registry (`docs/registry-port.md`): ST500679 completes early and is discharged
 *   14 days later, without a notification; RQ100001 gets a letter; LT100001
 *   too, and is completed without an answer; CX100001 is cancelled; VF100001 fails its validation
 *   until another deed is named; SE100001 ends twice in SYSTEM_ERROR; SL100001 is answered after an hour, and waits for
 *   the day list; DT501578 is closed, CC100001 continued, GR514443 pending; NF100001 and unknown numbers are not found;
 *   RT100001 and CA100001 are of the classes 100 and 130. All others are registered. What happens to one
 *   `customer_reference` changes the register for extracts with the same CustomerReference only, so that any number of
 *   cases can use one title.
 * - The published keys: an application's id or reference that ends in vng, vlf, sye, aap, app, can or cmp; the published
 *   documents; GR506405, GR506098 and GR506123 for extracts.
 * - `control`, for everything else: see `control.ts`. `control.dialect` chooses between guide and contract where these
 *   differ: `correspondence(s)`, `document-` or `attachment-success`, `error` or `system-error`, a scheme in `upload_url`.
 *
 * Requests are validated as strictly as the contracts say, and a field that they do not have is refused. Validation at once
 * is 400; the other published rules end in VALIDATION_FAILED. Files are stored on another server, which refuses credentials
 * and client certificates. A repeated Idempotency-Key gets the first answer, unless `repeatedKey` says otherwise.
 */
import { randomBytes } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Account, Answer, Context, Inbound } from './answers.ts'
import { type KeyPair, makeAuthority } from './certificates.ts'
import { type Control, type Dialect, makeControl } from './control.ts'
import { PUBLISHED_DOCUMENTS } from './published.ts'
import { answerRest } from './rest.ts'
import { type Handled, listen } from './server.ts'
import { answerSoap, isSoap } from './soap.ts'
import { type Application, type Download, emptyState, type Upload } from './state.ts'
import { receiveUpload, refusal, sendDownload } from './uploads.ts'

export type GatewayOptions = {
  now?: () => Date
  accounts?: readonly Account[]
  dialect?: Dialect
  /** What a second request with the same Idempotency-Key gets. It is not published. */
  repeatedKey?: 'same answer' | 'conflict'
  /** Of an official copy; with the title plan it is twice as much. */
  extractPricePence?: number
  /** Sees each request to the services and its answer. */
  watch?: (inbound: Inbound, answer: Answer) => void
  host?: string
  /** 0 is any free port. The storage has another. */
  port?: number
}

export type Gateway = {
  restUrl: string
  soapUrl: string
  /** PEM. */
  ca: string
  clientCert: string
  clientKey: string
  accounts: readonly Account[]
  control: Control
  /** A client certificate of this authority that is valid for so many days; -1 has ended. */
  issueClient(days: number): Promise<KeyPair>
  /** A client certificate of another authority, and that authority. */
  issueStranger(): Promise<KeyPair & { ca: string }>
  /** What was lodged, oldest first, what was uploaded, and the documents of the registry. */
  applications(): Application[]
  uploads(): Upload[]
  downloads(): Download[]
  /** How many notifications were sent a second time. */
  notificationsRepeated(): number
  close(): Promise<void>
}

const BODY_BYTES_MAX = 2_000_000
const FILE_BYTES_MAX = 41_943_040

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { now = () => new Date(), dialect = 'openapi', host = '127.0.0.1', port = 0 } = options
  const accounts = options.accounts ?? [
    { username: 'BGUser001', password: 'landreg001' },
    { username: 'BGUser002', password: randomBytes(9).toString('base64url') },
  ]
  const authority = await makeAuthority('Stand-in gateway')
  const client = await authority.client('stand-in client')
  const { cert, key } = await authority.server()
  const tls = { cert, key, ca: authority.ca, requestCert: true }
  const control = makeControl(now, dialect)
  const context: Context = {
    control,
    state: emptyState(),
    accounts,
    storageUrl: '',
    options: {
      repeatedKey: options.repeatedKey ?? 'same answer',
      extractPricePence: options.extractPricePence ?? 400,
    },
  }
  for (const one of PUBLISHED_DOCUMENTS) context.state.downloads.set(one.id, one)

  const storage = await listen(
    { ...tls, rejectUnauthorized: false },
    control,
    FILE_BYTES_MAX,
    (inbound, request) => answerStorage(context, inbound, request.socket as TLSSocket),
    { host, port: port && port + 1 },
  )
  context.storageUrl = `https://localhost:${storage.port}`
  const services = await listen(
    { ...tls, rejectUnauthorized: true },
    control,
    BODY_BYTES_MAX,
    async (inbound) => {
      const answer = await (isSoap(inbound) ? answerSoap(context, inbound) : answerRest(context, inbound))
      options.watch?.(inbound, answer)
      return answer
    },
    { host, port },
  )
  const url = `https://localhost:${services.port}`
  return {
    restUrl: `${url}/bg2/api`,
    soapUrl: `${url}/b2b/BGSoapEngine`,
    ca: authority.ca,
    clientCert: client.cert,
    clientKey: client.key,
    accounts,
    control,
    issueClient: (days) => authority.client('stand-in client', days),
    async issueStranger() {
      const other = await makeAuthority('Another authority')
      return { ...(await other.client('stranger')), ca: other.ca }
    },
    applications: () => [...context.state.applications.values()],
    uploads: () => [...context.state.uploads.values()],
    downloads: () => [...context.state.downloads.values()],
    notificationsRepeated: () => context.state.notifications.length - context.state.announced,
    close: async () => void (await Promise.all([services.close(), storage.close()])),
  }
}

/** The storage knows nobody: its addresses are signed, and anything else that proves who one is does not belong here. */
function answerStorage(context: Context, inbound: Inbound, socket: TLSSocket): Handled {
  const { method, path, headers } = inbound
  if (headers.authorization !== undefined) return refusal(400, 'InvalidArgument')
  if (Object.keys(socket.getPeerCertificate() ?? {}).length) return refusal(400, 'ClientCertificateNotExpected')
  if (method === 'PUT' && path.startsWith('/upload/')) return receiveUpload(context, inbound)
  if (method === 'GET' && path.startsWith('/download/')) return sendDownload(context, inbound)
  return refusal(405, 'MethodNotAllowed')
}
