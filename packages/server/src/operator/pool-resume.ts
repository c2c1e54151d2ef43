import type { Command } from 'commander'
import type { OperatorContext, WithContext } from './context.ts'

export function registerPoolResume(pool: Command, withContext: WithContext): void {
  pool
    .command('resume')
    .description('Take new orders again after they were halted, once the cause is removed.')
    .action(() => withContext(resume))
}

async function resume({ database, out }: OperatorContext): Promise<void> {
  const [before] = await database.query<{ halted: string | null }>(
    'SELECT halted FROM chain_cursor',
    [],
  )
  await database.query('UPDATE chain_cursor SET halted = NULL', [])
  out({ halted: null, before: before?.halted ?? null })
}
