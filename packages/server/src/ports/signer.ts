import type { Address } from '@solana/kit'

/** An ed25519 key in a file, Vault or KMS. The service may use it without holding it. */
export interface Signer {
  readonly address: Address
  /** The 64-byte signature of a message. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>
}
