import type { Command } from 'commander'
import { OperatorError, type OperatorContext, type WithContext } from './context.ts'

export function registerPoolResume(pool: Command, withContext: WithContext): void {
  pool
    .command('resume')
    .description(
      'Take new orders again after they were halted, once a worker found that all agrees.',
    )
    .action(() => withContext(resume))
}

/**
 * Whoever lifts a halt must not overlook that its cause is still there: a worker's newest comparison
 * must have found that chain and database agree.
 */
async function resume({ database, out }: OperatorContext): Promise<void> {
  const [before] = await database.query<{ halted: string | null; books_agree: boolean | null }>(
    'SELECT halted, books_agree FROM chain_cursor CROSS JOIN health',
    [],
  )
  const halted = before?.halted ?? null
  if (halted !== null && before?.books_agree !== true) {
    const page = `docs/runbooks/${halted.replaceAll('_', '-')}.md`
    throw new OperatorError(
      `the newest comparison did not find chain and database in agreement; follow ${page}, keep a worker running until it does, then repeat`,
    )
  }
  await database.query('UPDATE chain_cursor SET halted = NULL', [])
  out({ halted: null, before: halted })
}
