import type { Address } from '@solana/kit'

/** Sanctions screening. Asked of one address at a time, before a quote is signed, never afterwards. */
export interface Screener {
  /** @throws Error where the screener can't answer: new orders fail, nothing deposited is held. */
  readonly isRefused: (address: Address) => Promise<boolean>
}
