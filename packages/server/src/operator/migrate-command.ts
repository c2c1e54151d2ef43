import type { Command } from 'commander'
import { migrate } from '../adapters/store/migrate.ts'
import type { Config } from '../config.ts'
import type { WithContext } from './context.ts'
import { openDatabase } from '../start/open-service-database.ts'

const HELP = `
A migration that processes of the former version can't work beside is refused, here and at every start.
Then stop them all, and run this with --alone. docs/deployment/replicas.md has the rules.`

/** `migrate`: every command does this first; run it separately to migrate before any process starts. */
export function registerMigrateCommand(
  program: Command,
  withContext: WithContext,
  readConfig: () => Config,
): void {
  program
    .command('migrate')
    .description("Bring the database's schema up to date and end; repeatable.")
    .option('--alone', 'nothing else runs on the database: also what would break it', false)
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
  } finally {
    await database.close()
  }
}
