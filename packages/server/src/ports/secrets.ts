import type { Address, Amount, UnixSeconds } from '@sotto/protocol'

/**
 * The content that a deposit's payload seals. With this content, the keystore and the chain, the order's note can be
 * restored.
 */
export type PayloadTerms = { readonly expiry: UnixSeconds } & (
  | { readonly kind: 'transfer'; readonly recipient: Address; readonly amountOut: Amount }
  /** `owner` is the packed public key, 32 bytes. */
  | { readonly kind: 'balance'; readonly owner: Uint8Array }
)

/**
 * The secrets of one hour, all derived from one 32-byte key K (protocol: HKDF-SHA256 with the order's id as salt and a
 * label). Once K is destroyed, no deposit of that hour's orders can be linked to its delivery. Every member throws once
 * the process has zeroed K.
 */
export interface EpochSecrets {
  readonly epoch: number
  /** The note's secret: HKDF(K, orderId, "nk"), 64 bytes, reduced below the field's modulus. */
  readonly noteKey: (orderId: Uint8Array) => bigint
  /**
   * The deposit's 65-byte payload: epoch u32, sealed terms, tag. The payload is deterministic, so an order must never
   * be sealed with two different sets of terms.
   */
  readonly sealPayload: (orderId: Uint8Array, terms: PayloadTerms) => Uint8Array
  /** @throws Error if the payload wasn't sealed for this order and epoch. */
  readonly openPayload: (orderId: Uint8Array, payload: Uint8Array) => PayloadTerms
  /**
   * HMAC-SHA256 of the order's id under a key of K, 32 bytes. The pseudonym names the order in the store's delivery
   * tables. With one more byte after the id, the HMAC names a change of the order's status. Without K, a pseudonym
   * can't be traced to its order; destroying K makes that final.
   */
  readonly pseudonym: (orderId: Uint8Array) => Uint8Array
  /**
   * AEAD under HKDF(K, orderId, label), with a random nonce before the ciphertext. The clear bytes are first padded
   * to a multiple of the label's size, so that the length reveals nothing. For a sealed event, the name of the event
   * takes the place of the order's id.
   */
  readonly seal: (orderId: Uint8Array, label: SealLabel, clear: Uint8Array) => Uint8Array
  /** @throws Error if the bytes weren't sealed with this order id and label. */
  readonly open: (orderId: Uint8Array, label: SealLabel, sealed: Uint8Array) => Uint8Array
  /**
   * HMAC under a key of K, for request fingerprints. Without K, a reader of the database can't test a guess of a
   * request.
   */
  readonly fingerprint: (message: Uint8Array | string) => Uint8Array
  /** 16-byte MAC that binds a quoteId, under a key of K. */
  readonly quoteMac: (message: Uint8Array | string) => Uint8Array
}

/** The purpose of a ciphertext. A value that was sealed for one purpose can't be opened for another. */
export type SealLabel = 'terms' | 'payment' | 'response' | 'plan' | 'outcome' | 'attempt' | 'event'

export interface Secrets {
  /**
   * The secrets of an epoch. New secrets are durably stored before this resolves. Only the current epoch may get new
   * secrets.
   */
  readonly forNewOrder: (epoch: number) => Promise<EpochSecrets>
  /** The secrets of an existing epoch; undefined once they are destroyed. */
  readonly read: (epoch: number) => Promise<EpochSecrets | undefined>
  /** Destroys an epoch's key and its backups. Can be called repeatedly. */
  readonly destroy: (epoch: number) => Promise<void>
  /** Epochs whose keys exist, in ascending order. */
  readonly list: () => Promise<number[]>
  /** HMAC-SHA256 under the pepper: of an API key's secret, or of the name of a webhook's secret. */
  readonly apiKeyHmac: (secret: string) => Promise<Uint8Array>
}

/** Secrets that this process keeps in memory. */
export interface KeptSecrets extends Secrets {
  /**
   * Zeroes this process's copies of all destroyed keys, including keys that other processes destroyed. Must be
   * called regularly: otherwise an idle process would keep a destroyed key in memory.
   */
  readonly forgetDestroyed: () => Promise<void>
}
