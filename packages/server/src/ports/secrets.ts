import type { Address, Amount, UnixSeconds } from '@sotto/protocol'

/**
 * The content that is sealed in a deposit's payload. The order's note can be restored from this content, the keystore
 * and the chain.
 */
export type PayloadTerms = { readonly expiry: UnixSeconds } & (
  | { readonly kind: 'transfer'; readonly recipient: Address; readonly amountOut: Amount }
  /** `owner` is the packed public key of the owner, 32 bytes. */
  | { readonly kind: 'balance'; readonly owner: Uint8Array }
)

/**
 * The secrets of one epoch, all derived from one 32-byte key K (protocol: HKDF-SHA256 with the order's id as salt and a
 * label). Each hour has two epochs: one for its transfers and payments, and one for its top-ups. Once K is destroyed,
 * the stored data no longer links the deposits of the epoch's orders to their deliveries. Every method throws after the
 * process has zeroed K.
 */
export interface EpochSecrets {
  readonly epoch: number
  /** The note's secret: HKDF(K, orderId, "nk"), 64 bytes, reduced below the field's modulus. */
  readonly noteKey: (orderId: Uint8Array) => bigint
  /**
   * Creates the deposit's 65-byte payload: hour u32, sealed terms, tag. The payload is deterministic, so an order must
   * never be sealed with two different sets of terms.
   */
  readonly sealPayload: (orderId: Uint8Array, terms: PayloadTerms) => Uint8Array
  /** Opens a payload. @throws Error if the payload wasn't sealed for this order and epoch. */
  readonly openPayload: (orderId: Uint8Array, payload: Uint8Array) => PayloadTerms
  /**
   * HMAC-SHA256 of the order's id under a key that is derived from K, 32 bytes. This pseudonym names the order in the
   * store's delivery tables. If one more byte follows the id, the HMAC names an event of the order. Without K, a
   * pseudonym can't be traced to its order, so destroying K makes the pseudonym permanently untraceable.
   */
  readonly pseudonym: (orderId: Uint8Array) => Uint8Array
  /**
   * Encrypts with AEAD under HKDF(K, orderId, label), with a random nonce before the ciphertext. The clear bytes are
   * first padded to a multiple of the label's size, so the length reveals nothing. For an event, the event's name is
   * passed instead of the order's id.
   */
  readonly seal: (orderId: Uint8Array, label: SealLabel, clear: Uint8Array) => Uint8Array
  /** Decrypts. @throws Error if the bytes weren't sealed with this order id and label. */
  readonly open: (orderId: Uint8Array, label: SealLabel, sealed: Uint8Array) => Uint8Array
  /**
   * HMAC for request fingerprints, under a key that is derived from K. Without K, a reader of the database can't check
   * whether a guessed request has this fingerprint.
   */
  readonly fingerprint: (message: Uint8Array | string) => Uint8Array
  /** 16-byte MAC that binds a quoteId, under a key that is derived from K. */
  readonly quoteMac: (message: Uint8Array | string) => Uint8Array
}

/** The purpose of a ciphertext. A value that was sealed for one purpose can't be opened for another purpose. */
export type SealLabel = 'terms' | 'payment' | 'response' | 'plan' | 'outcome' | 'attempt' | 'event'

export interface Secrets {
  /**
   * Returns the secrets of an epoch. New secrets are durably stored before the promise resolves. New secrets may be
   * created only for the two epochs of the current hour.
   */
  readonly forNewOrder: (epoch: number) => Promise<EpochSecrets>
  /** Reads the secrets of an existing epoch; undefined if they are destroyed. */
  readonly read: (epoch: number) => Promise<EpochSecrets | undefined>
  /** Destroys an epoch's key and the key's backups. Does nothing if the key is already destroyed. */
  readonly destroy: (epoch: number) => Promise<void>
  /** Lists the epochs whose keys exist, in ascending order of their numbers. */
  readonly list: () => Promise<number[]>
  /** HMAC-SHA256 under the pepper. `secret` is an API key's secret, or the name of a webhook's secret. */
  readonly apiKeyHmac: (secret: string) => Promise<Uint8Array>
}

/** Secrets that this process also keeps in its memory. */
export interface KeptSecrets extends Secrets {
  /**
   * Zeroes this process's copies of all destroyed keys, including keys that other processes destroyed. It must be
   * called regularly, so that an idle process doesn't keep a destroyed key in memory.
   */
  readonly forgetDestroyed: () => Promise<void>
  /** True if the pepper exists. The first call of `apiKeyHmac` makes a missing pepper. */
  readonly hasPepper: () => Promise<boolean>
}
