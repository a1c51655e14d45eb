import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Actor } from '../audit/record.ts'
import { type Config, readConfig } from '../config.ts'
import { type Database, hasDatabase, openDatabase, prepareTables } from '../database.ts'
import { type Db, openDb, type Transaction } from '../platform/database/db.ts'
import { businessNow } from '../platform/operations/state.ts'
import type { Command, Input } from './input.ts'

// What the operator's commands share: the settings, the database, and the person at the command line.

export type Operation = Input & { config: Config; db: Db; url: string }

/** A command that opens the database, brings it up to this version if needed, does one thing and ends. */
export function onDatabase(work: (operation: Operation) => Promise<string>): Command {
  return async (input) => {
    const config = commandConfig()
    if (!(await hasDatabase(config))) throw new Error(nothingIn(config))
    const database = await openForCommand(config)
    try {
      await prepareTables(database)
      const db = openDb({ url: database.url, poolSize: 2 })
      try {
        return await work({ ...input, config, db, url: database.url })
      } finally {
        await db.close()
      }
    } finally {
      await database.stop()
    }
  }
}

/** Opens the database. If the command is interrupted, an embedded one that nobody else uses is stopped. */
export async function openForCommand(config: Config): Promise<Database> {
  const database = await openDatabase(config, 'share')
  const interrupt = () => void database.stop().finally(() => process.exit(INTERRUPTED))
  process.once('SIGINT', interrupt)
  const stop = () => {
    process.off('SIGINT', interrupt)
    return database.stop()
  }
  return { ...database, stop }
}

const INTERRUPTED = 130

const nothingIn = ({ dataDir, sandbox }: Config): string =>
  `There is nothing in ${dataDir} yet. ${sandbox ? 'Start the sandbox first: npm start' : 'Run `lodgeway migrate` first.'}`

/** The settings of a command, of the sandbox or of an installation. */
export const commandConfig = (): Config => readConfig(process.env, { sandbox: isSandboxHere(), part: 'command' })

/** Without DATABASE_URL and SECRET_PEPPER, DATA_DIR holds the data of the sandbox. */
export const isSandboxHere = (): boolean => !process.env['DATABASE_URL'] && !process.env['SECRET_PEPPER']

/** The person at the command line, for the audit. */
export const operatorAt = (at: Date): Actor => ({
  actingUser: `operator:${userInfo().username}`,
  correlationId: randomUUID(),
  at,
})

/** One change in one transaction, at the time of the business clock. */
export async function change<T>(db: Db, work: (tx: Transaction, actor: Actor) => Promise<T>): Promise<T> {
  const actor = operatorAt(await businessNow(db))
  return db.transaction((tx) => work(tx, actor))
}
