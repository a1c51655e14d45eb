import { migrateDatabase } from '../database.ts'
import type { Process } from '../rights.ts'
import { type Commands, choice, type Options, UsageError } from './input.ts'
import { commandConfig, openForCommand } from './operate.ts'

export const commands: Commands = {
  '': async ({ options }) => {
    const config = commandConfig()
    const process = processIn(options)
    if (process && !config.databaseUrl) throw new UsageError('--for needs DATABASE_URL, the URL of that role.')
    const database = await openForCommand(config)
    try {
      const applied = await migrateDatabase(database, process)
      return applied.length ? `Applied ${applied.join(', ')}.` : 'The database is current.'
    } finally {
      await database.stop()
    }
  },
}

const processIn = (options: Options): Process | undefined =>
  options['for'] === undefined ? undefined : choice(options, 'for', ['serve', 'work'])
