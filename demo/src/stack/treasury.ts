import type { Address } from '@solana/kit'

/** The source of a run's money. Each method returns after its payment is confirmed. */
export interface Treasury {
  /** Sends lamports to a wallet. */
  fund(owner: Address, lamports: bigint): Promise<void>
  /** The run's test token, with six decimals; created at the first call. */
  createToken(): Promise<Address>
  /** Mints base units of the test token to the owner's associated token account. */
  mint(owner: Address, token: Address, amount: bigint): Promise<void>
}
