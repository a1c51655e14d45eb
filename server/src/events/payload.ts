/** An event as it is stored. */
export type StoredEvent = {
  eventId: string
  type: string
  workspaceId: string | null
  data: Readonly<Record<string, string>>
  at: Date
}

/** What partners receive, by webhook and in the feed: identifiers only, and the recipient. */
export type Payload = { id: string; type: string; timestamp: string; data: Record<string, string> }

export function payloadOf({ eventId, type, workspaceId, data, at }: StoredEvent, subscriberId: string): Payload {
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
