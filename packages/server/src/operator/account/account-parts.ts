import type { Random } from '../../ports/random.ts'
import type { Secrets } from '../../ports/secrets.ts'

/**
 * Dependencies of the commands for accounts and keys, except the database. Each dependency is opened when it is first
 * used.
 */
export interface AccountParts {
  readonly random: Random
  readonly secrets: () => Secrets
  /** The mode of this cluster's keys: live on mainnet, test everywhere else. */
  readonly keyMode: () => 'live' | 'test'
}
