import type { Address } from '@solana/kit'

/** Pays for a run. Each method returns after its payment is confirmed. */
export interface Treasury {
  /** Sends lamports to a wallet. */
  fund(owner: Address, lamports: bigint): Promise<void>
  /** Returns the run's test token, which has six decimals. The first call creates it. */
  createToken(): Promise<Address>
  /** Mints base units of the test token to the owner's associated token account. */
  mint(owner: Address, token: Address, amount: bigint): Promise<void>
}
