import type { Connection } from '../platform/database/db.ts'

export type FailingWebhooks = {
  subscriberId: string
  name: string
  registrations: number
  /** Deliveries that failed and are tried again, and those that were given up within a day. */
  retried: number
  dead: number
  oldest: Date
}

/** The subscribers whose webhooks fail now. Neither addresses nor contents. */
export const listFailingWebhooks = (connection: Connection, now: Date) =>
  connection.query<FailingWebhooks>(
    `select subscriber_id as "subscriberId", s.name, count(distinct registration_id) as registrations,
            count(*) filter (where f.status = 'PENDING') as retried, count(*) filter (where f.status = 'DEAD') as dead,
            min(f.created_at) as oldest
       from (select subscriber_id, registration_id, status, created_at from notifications
              where status = 'PENDING' and tries > 0
             union all
             select subscriber_id, registration_id, status, created_at from notifications
              where status <> 'PENDING' and status = 'DEAD' and created_at > $1::timestamptz - interval '1 day') f
       join subscribers s using (subscriber_id)
      group by subscriber_id, s.name order by dead desc, retried desc, s.name`,
    [now],
  )
