import type { Address } from '@solana/kit'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Sanctions screening of one address at a time. It runs for each quote, order and refresh, but never for a settlement.
 */
export interface Screener {
  /**
   * True if the address is refused. The promise rejects if the screener can't answer; the method never throws
   * synchronously. While the screener fails, new orders fail, but existing deposits are still delivered. An asker is an
   * account or a visitor of the send page. An answer and its timing must reveal nothing about the queries of other
   * askers.
   */
  readonly isRefused: (address: Address, asker: string) => MaybePromise<boolean>
}
