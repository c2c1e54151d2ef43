import type { Command } from 'commander'
import { migrate } from '../adapters/store/migrate.ts'
import type { Config } from '../config.ts'
import type { WithContext } from './context.ts'
import { databaseFailure } from '../start/database-failure.ts'
import { openDatabase } from '../start/open-service-database.ts'

const HELP = `
A migration that would break processes of the previous version is refused, by this command and at every
start of the service. In this case, stop all these processes, and run this command with --alone.
docs/deployment/replicas.md has the rules.`

/**
 * `migrate`: brings the schema up to date. Every other command that opens the database migrates the schema first. With
 * this command an operator can migrate before any process starts.
 */
export function registerMigrateCommand(
  program: Command,
  withContext: WithContext,
  readConfig: () => Config,
): void {
  program
    .command('migrate')
    .description("Bring the database's schema up to date and end. The command can be repeated.")
    .option(
      '--alone',
      'also run migrations that break other processes; use this only while no other process uses the database',
      false,
    )
    .addHelpText('after', HELP)
    .action(async ({ alone }: { alone: boolean }) => {
      if (alone) await migrateAlone(readConfig())
      await withContext(async ({ database, out }) => {
        const rows = await database.query<{ name: string }>(
          'SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 1',
          [],
        )
        out({ schema: rows[0]?.name ?? null })
      })
    })
}

async function migrateAlone(config: Config): Promise<void> {
  const database = await openDatabase(config)
  try {
    await migrate(database)
  } catch (error) {
    throw databaseFailure(error, config.DATABASE_URL)
  } finally {
    await database.close()
  }
}
