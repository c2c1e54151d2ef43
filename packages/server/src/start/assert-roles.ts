import type { Config, Role } from '../config.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Checks that only this process needs the embedded database. @throws OperatorError if another process would need it.
 */
export function assertRoles({ DATABASE_URL }: Config, roles: readonly Role[]): void {
  if (DATABASE_URL !== undefined) return
  if (roles.includes('api') && roles.includes('worker')) return
  throw new OperatorError(
    `the embedded database serves one process, which must be both api and worker, but the roles are only ${roles.join(',')}; ` +
      'remove --role and SOTTO_ROLE, or set SOTTO_DATABASE_URL to a PostgreSQL server',
  )
}
