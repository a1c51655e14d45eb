import { isApiError, type Lodgeway, type Schemas } from '../../../client/src/index.ts'
import { type Finding, notSeen } from './situations.ts'

// What a registered receiver answers to deliveries that it must refuse, and to one that it has seen.

type Kind = Schemas['TestDeliveryRequest']['kind']

export const DELIVERIES: readonly { name: string; title: string; kind: Kind; advice: string }[] = [
  {
    name: 'unsigned-webhook',
    title: 'A webhook without a signature',
    kind: 'UNSIGNED',
    advice: 'Answer 400 to a delivery without webhook-signature, and do nothing.',
  },
  {
    name: 'forged-webhook',
    title: 'A webhook that somebody else signed',
    kind: 'FORGED',
    advice: 'Verify webhook-signature with your secret, and answer 400 where it does not match.',
  },
  {
    name: 'altered-webhook',
    title: 'A webhook that was changed on its way',
    kind: 'ALTERED',
    advice: 'Verify the signature over the body as it was received, before it is parsed.',
  },
  {
    name: 'stale-webhook',
    title: 'A webhook that was signed ten minutes ago',
    kind: 'STALE',
    advice: 'Refuse a webhook-timestamp that is more than five minutes off.',
  },
  {
    name: 'new-webhook-type',
    title: 'A webhook of an unknown type',
    kind: 'NEW_TYPE',
    advice: 'Answer 2xx to a type that you do not know, or it is delivered again for a day and holds up what follows.',
  },
  {
    name: 'replayed-webhook',
    title: 'A webhook that comes twice',
    kind: 'REPLAYED',
    advice: 'Remember each webhook-id, answer 2xx to one that you have seen, and do nothing.',
  },
]

/** The status with which a receiver can show that it recognised a webhook-id. */
const ALREADY_REPORTED = 208

export async function tryReceiver(
  client: Lodgeway,
  registrationId: string,
  kind: Kind,
  advice: string,
): Promise<Finding> {
  try {
    return findingOf(await client.sendTestDelivery({ body: { registrationId, kind } }), advice)
  } catch (error) {
    if (!isApiError(error, 409)) throw error
    return notSeen(error.errors.map(({ message }) => message).join(' '))
  }
}

export function findingOf(answer: Schemas['TestDeliveryAnswer'], advice: string): Finding {
  const { kind, status, error = '', isAsExpected, eventId } = answer
  const evidence = [`webhook-id ${eventId}`]
  const seen = status === undefined ? `It did not answer: ${error}` : `It answered ${status}.`
  if (!isAsExpected) return { result: 'FAILED', seen, advice, evidence }
  if (kind !== 'REPLAYED' || status === ALREADY_REPORTED) return { result: 'PASSED', seen, evidence }
  const unseen = `${seen} Whether it acted twice cannot be seen: answer ${ALREADY_REPORTED} to a webhook-id that you have seen, and it can.`
  return { result: 'NOT_SEEN', seen: unseen, advice, evidence }
}
