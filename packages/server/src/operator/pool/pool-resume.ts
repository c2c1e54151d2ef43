import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'

export function registerPoolResume(pool: Command, withContext: WithContext): void {
  pool
    .command('resume')
    .description(
      'Accept new orders again after they were halted, once a worker has found that chain and database agree.',
    )
    .action(() => withContext(resume))
}

/**
 * Greatest age of the comparison, in milliseconds. An older comparison doesn't show the current state. A running worker
 * compares several times in this period.
 */
const AGREED_WITHIN_MS = 900_000

/**
 * Lifts a halt. The halt must stay while its cause persists. Therefore a comparison from the last quarter of an hour
 * must have found that the chain and the database agree. One statement checks this and lifts the halt. If another halt
 * or a difference is recorded in the meantime, the statement changes nothing.
 */
async function resume({ database, clock, out }: OperatorContext): Promise<void> {
  const [before] = await database.query<{ halted: string | null }>(
    'SELECT halted FROM chain_cursor',
    [],
  )
  const halted = before?.halted ?? null
  if (halted !== null) {
    const lifted = await database.query(
      `UPDATE chain_cursor SET halted = NULL FROM health
       WHERE chain_cursor.halted = $1 AND health.books_agree AND health.books_at >= $2
       RETURNING chain_cursor.slot`,
      [halted, new Date(clock.nowMs() - AGREED_WITHIN_MS)],
    )
    if (lifted.length === 0) throw new OperatorError(refusal(halted))
  }
  out({ halted: null, before: halted })
}

const refusal = (halted: string): string =>
  `no comparison in the last quarter of an hour found that chain and database agree; follow docs/runbooks/${halted.replaceAll('_', '-')}.md, keep a worker running until they agree, then run this command again`
