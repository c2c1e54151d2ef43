import type { Address } from '@sotto/protocol'
import type { MaybePromise } from './maybe-promise.ts'

/** The payees of the pool's settlements. The chain shows all of them. */
export interface PaidPayees {
  /**
   * True if the pool has paid this payee before, in any asset. Refunds and returned rests don't count. Also true while
   * the payees of earlier settlements aren't known, after an upgrade or a rebuild. The answer may be a few seconds old. It is cached separately for each asker: an account, or a visitor of the send page.
   */
  readonly wasPaid: (payee: Address, asker: string) => MaybePromise<boolean>
}
