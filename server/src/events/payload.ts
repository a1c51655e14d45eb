/** An event as it is kept. */
export type KeptEvent = {
  eventId: string
  type: string
  workspaceId: string | null
  data: Readonly<Record<string, string>>
  at: Date
}

/** What leaves the house, by push and by pull alike: identifiers only, and who is told. */
export type Payload = { id: string; type: string; timestamp: string; data: Record<string, string> }

export function payloadOf({ eventId, type, workspaceId, data, at }: KeptEvent, subscriberId: string): Payload {
  const { reference, ...ids } = data
  return {
    id: eventId,
    type,
    timestamp: at.toISOString(),
    data: {
      ...(workspaceId !== null && { workspaceId }),
      subscriberId,
      ...(reference !== undefined && { reference }),
      ...ids,
    },
  }
}
