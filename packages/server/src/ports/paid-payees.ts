import type { Address } from '@sotto/protocol'
import type { MaybePromise } from './maybe-promise.ts'

/** The payees of the pool's settlements. The chain shows all of them. */
export interface PaidPayees {
  /**
   * True if the pool has paid this payee before, in any asset. Refunds and returned rests don't count. After an upgrade
   * or a rebuild, the result is also true as long as the payees of earlier settlements aren't known. The answer may be
   * a few seconds old. It is cached separately for each asker: an account, or a visitor of the send page.
   */
  readonly wasPaid: (payee: Address, asker: string) => MaybePromise<boolean>
}
