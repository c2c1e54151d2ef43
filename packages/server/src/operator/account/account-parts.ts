import type { Random } from '../../ports/random.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** What the commands for accounts and keys need beside the database. Opened when first asked for. */
export interface AccountParts {
  readonly random: Random
  readonly secrets: () => Secrets
  /** The mode of this cluster's keys: test everywhere but on mainnet. */
  readonly keyMode: () => 'live' | 'test'
}
