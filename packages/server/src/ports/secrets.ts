import type { Address, Amount, UnixSeconds } from '@sotto/protocol'

/** The content that a deposit's payload seals. With the keystore and the chain, it restores the order's note. */
export type PayloadTerms = { readonly expiry: UnixSeconds } & (
  | { readonly kind: 'transfer'; readonly recipient: Address; readonly amountOut: Amount }
  /** `owner` is the packed key, 32 bytes. */
  | { readonly kind: 'balance'; readonly owner: Uint8Array }
)

/**
 * The secrets of one hour, all derived from one 32-byte key K (protocol: HKDF-SHA256 with the order's
 * id as salt and a label). Once K is destroyed, the two sides of its orders can't be joined. Every member
 * throws once the process has zeroed K.
 */
export interface EpochSecrets {
  readonly epoch: number
  /** The note's secret: HKDF(K, orderId, "nk"), 64 bytes, reduced below the field's modulus. */
  readonly noteKey: (orderId: Uint8Array) => bigint
  /**
   * The deposit's 65-byte payload: epoch u32, sealed terms, tag. Deterministic for an order, so an order must never
   * have two sets of terms.
   */
  readonly sealPayload: (orderId: Uint8Array, terms: PayloadTerms) => Uint8Array
  /** @throws Error if the payload isn't of this order and epoch. */
  readonly openPayload: (orderId: Uint8Array, payload: Uint8Array) => PayloadTerms
  /**
   * HMAC-SHA256 of the order's id under a key of K, 32 bytes: names the order on the delivery side of a store;
   * of the id and one more byte, it names a change of its status. Without K the name can't be traced to its
   * order; after K's destruction this is final.
   */
  readonly pseudonym: (orderId: Uint8Array) => Uint8Array
  /**
   * AEAD under HKDF(K, orderId, label) with a random nonce in front. The clear bytes are padded to a
   * multiple of the label's size first, so that the length reveals nothing. An event's id is its name.
   */
  readonly seal: (orderId: Uint8Array, label: SealLabel, clear: Uint8Array) => Uint8Array
  /** @throws Error if the bytes weren't sealed with this order id and label. */
  readonly open: (orderId: Uint8Array, label: SealLabel, sealed: Uint8Array) => Uint8Array
  /** HMAC under a key of K, for request fingerprints: guesses can't be tested against a database dump. */
  readonly fingerprint: (message: Uint8Array | string) => Uint8Array
  /** 16-byte MAC that binds a quoteId, under a key of K. */
  readonly quoteMac: (message: Uint8Array | string) => Uint8Array
}

/** The purpose of a ciphertext: a value sealed for one purpose doesn't open for another. */
export type SealLabel = 'terms' | 'payment' | 'response' | 'plan' | 'outcome' | 'attempt' | 'event'

export interface Secrets {
  /** The secrets of an epoch; stored durably first if they are new. Only `current` may be new. */
  readonly forNewOrder: (epoch: number) => Promise<EpochSecrets>
  /** The secrets of an epoch that exists; undefined once destroyed. */
  readonly read: (epoch: number) => Promise<EpochSecrets | undefined>
  /** Destroys an epoch's key and its backups. Repeatable. */
  readonly destroy: (epoch: number) => Promise<void>
  /** Epochs whose keys exist, in ascending order. */
  readonly list: () => Promise<number[]>
  /** HMAC-SHA256 under the pepper: of an API key's secret, or of the name of a webhook's. */
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
