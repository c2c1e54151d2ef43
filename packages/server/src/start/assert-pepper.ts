import type { Sql } from '../adapters/store/sql.ts'
import type { KeptSecrets } from '../ports/secrets.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Checks that the keystore has the pepper of the API keys in the database. Without this check, a service whose keystore
 * isn't mounted would make a new pepper without an error, and refuse every key.
 *
 * @throws OperatorError that says how to continue.
 */
export async function assertPepper(
  sql: Sql,
  secrets: Pick<KeptSecrets, 'hasPepper'>,
): Promise<void> {
  const query = 'SELECT id FROM api_keys WHERE revoked_at IS NULL LIMIT 1'
  if ((await sql.query(query, [])).length === 0 || (await secrets.hasPepper())) return
  throw new OperatorError(
    'the keystore has no pepper, but the database has API keys, and only the pepper of these keys can check them; ' +
      'mount the keystore or restore its backup. If the pepper is lost, make a new pepper and a new key with: ' +
      'sotto-server key add; all older keys are then refused',
  )
}
