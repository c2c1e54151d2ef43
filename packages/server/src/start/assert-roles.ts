import type { Config, Role } from '../config.ts'
import { OperatorError } from './operator-error.ts'

/** @throws OperatorError if another process would have to share the embedded database. */
export function assertRoles({ DATABASE_URL }: Config, roles: readonly Role[]): void {
  if (DATABASE_URL !== undefined) return
  if (roles.includes('api') && roles.includes('worker')) return
  throw new OperatorError(
    `the embedded database belongs to one process, which must be api and worker both, not only ${roles.join(',')}; ` +
      'leave --role and SOTTO_ROLE away, or set SOTTO_DATABASE_URL to a PostgreSQL',
  )
}
