import type { Address } from '@solana/kit'
import type { MaybePromise } from './maybe-promise.ts'

/** Sanctions screening. Asked of one address at a time, before a quote is signed, never afterwards. */
export interface Screener {
  /**
   * Rejects where the screener can't answer, and never throws at once: new orders fail, nothing deposited is held.
   * What one asker, an account or a visitor of the send page, asked must not show in how another is answered, nor in
   * how soon.
   */
  readonly isRefused: (address: Address, asker: string) => MaybePromise<boolean>
}
