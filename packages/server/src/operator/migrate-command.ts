import type { Command } from 'commander'
import type { WithContext } from './context.ts'

/** `migrate`: what every command does first, for whoever wants it done before anything else starts. */
export function registerMigrateCommand(program: Command, withContext: WithContext): void {
  program
    .command('migrate')
    .description("Bring the database's schema up to date and end; repeatable.")
    .action(() =>
      withContext(async ({ database, out }) => {
        const rows = await database.query<{ name: string }>(
          'SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 1',
          [],
        )
        out({ schema: rows[0]?.name ?? null })
      }),
    )
}
