import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { deleteExpired } from './store.ts'

/** Erases what was logged a day ago, in the sandbox a week ago. It is not shown meanwhile. */
export const tidyRequestsJob = ({ db }: Pick<Deps, 'db'>): Job =>
  job({
    name: 'requests.tidy',
    cron: '*/10 * * * *',
    transactional: false,
    run: () => deleteExpired(db),
  })
