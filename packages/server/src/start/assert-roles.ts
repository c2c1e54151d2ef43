import type { Config, Role } from '../config.ts'
import { portMistakes } from '../config/check-mistakes.ts'
import { fileKeyMistakes } from '../config/mainnet-rules.ts'
import { assertNone } from '../config/mistake.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Checks that a process can have these roles with its settings. Each of its servers needs its own port, and its keys
 * must be in permitted places. A process with the embedded database must have both roles, because no other process can
 * use this database.
 *
 * @throws ConfigError or OperatorError that names the correction.
 */
export function assertRoles(config: Config, roles: readonly Role[]): void {
  assertNone([...portMistakes(config, roles), ...fileKeyMistakes(config, roles)])
  const { DATABASE_URL } = config
  if (DATABASE_URL !== undefined) return
  if (roles.includes('api') && roles.includes('worker')) return
  throw new OperatorError(
    `the embedded database serves one process, which must be both api and worker, but the roles are only ${roles.join(',')}; ` +
      'remove --role and SOTTO_ROLE, or set SOTTO_DATABASE_URL to a PostgreSQL server',
  )
}
