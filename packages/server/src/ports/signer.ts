import type { Address } from '@solana/kit'

/** An ed25519 key that the service may use but needn't hold: file, Vault or KMS. */
export interface Signer {
  readonly address: Address
  /** The 64-byte signature of a message. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>
}
