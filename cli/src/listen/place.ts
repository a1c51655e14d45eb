import { hostname } from 'node:os'
import type { Result } from '../../../client/src/index.ts'
import type { Connection } from '../session.ts'

/** An event as the feed has it. */
export type FeedEvent = Result<'readEvents'>['records'][number]

/** Who listens for whom: one at a time, with one state on disk. */
export type Place = { service: string; profile: string; address: string }

const NAME_MAX = 50

export const placeOf = ({ url, profile }: Connection, address = 'print'): Place => ({
  service: url,
  profile: profile.name === profile.clientId ? profile.name : `${profile.name} (${profile.clientId})`,
  address,
})

/** What the console shows: "laptop http://localhost:3000/hooks". */
export const listenerOf = ({ address }: Pick<Place, 'address'>): string =>
  `${hostname()} ${address}`.slice(0, NAME_MAX).trim()
