import { migrateDatabase, openDatabase } from '../database.ts'
import type { Commands } from './input.ts'
import { commandConfig } from './operate.ts'

export const commands: Commands = {
  '': async () => {
    const database = await openDatabase(commandConfig(), 'share')
    try {
      const applied = await migrateDatabase(database)
      return applied.length ? `Applied ${applied.join(', ')}.` : 'The database is current.'
    } finally {
      await database.stop()
    }
  },
}
