import type { Address } from '@solana/kit'

/**
 * An ed25519 key in a file, in Vault or in a KMS. The service uses the key only through this port, so the key needn't
 * be in the memory of the process.
 */
export interface Signer {
  readonly address: Address
  /** Returns the 64-byte signature of a message. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>
}
