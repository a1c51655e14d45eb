import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { deleteEnded } from './store-sessions.ts'

/** Every night: forgets sessions and links that have ended. */
export const tidyPeopleJob = ({ db }: Pick<Deps, 'db'>): Job =>
  job({
    name: 'people.tidy',
    cron: '37 3 * * *',
    transactional: false,
    run: () => deleteEnded(db),
  })
