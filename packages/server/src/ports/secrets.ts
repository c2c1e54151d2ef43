import type { Address } from '@solana/kit'

/**
 * The secrets of one hour, all derived from one 32-byte key K (protocol: HKDF-SHA256 with the order's
 * id as salt and a label). Once K is destroyed nobody can join the two sides of its orders. Every member
 * throws once the process has forgotten K.
 */
export interface EpochSecrets {
  readonly epoch: number
  /** The note's secret: HKDF(K, orderId, "nk"), 64 bytes, reduced below the field's modulus. */
  readonly noteKey: (orderId: Uint8Array) => bigint
  /** The deposit's 52-byte payload: epoch u32, sealed recipient, tag. Deterministic for an order. */
  readonly sealRecipient: (orderId: Uint8Array, recipient: Address) => Uint8Array
  /** @throws Error where the payload isn't of this order and epoch. */
  readonly openRecipient: (orderId: Uint8Array, payload: Uint8Array) => Address
  /**
   * HMAC-SHA256 of the order's id under a key of K, 32 bytes: names the order on the delivery's side
   * of a store; of the id and one more byte, a change of its status. Whoever lacks K can't tell whose
   * name it is; after K's destruction nobody can.
   */
  readonly pseudonym: (orderId: Uint8Array) => Uint8Array
  /**
   * AEAD under HKDF(K, orderId, label) with a random nonce in front. The clear bytes are padded to a
   * multiple of the label's size first, so that a length says nothing. An event's id is its name.
   */
  readonly seal: (orderId: Uint8Array, label: SealLabel, clear: Uint8Array) => Uint8Array
  /** @throws Error where the bytes were not sealed so. */
  readonly open: (orderId: Uint8Array, label: SealLabel, sealed: Uint8Array) => Uint8Array
  /** HMAC under a key of K: request fingerprints, so that a dump can't test guesses. */
  readonly fingerprint: (message: Uint8Array | string) => Uint8Array
  /** 16-byte MAC that binds a quoteId, under a key of K. */
  readonly quoteMac: (message: Uint8Array | string) => Uint8Array
}

/** What a ciphertext is: a value sealed for one purpose doesn't open as another. */
export type SealLabel = 'terms' | 'response' | 'plan' | 'outcome' | 'attempt' | 'event'

export interface Secrets {
  /** The secrets of an epoch; made durable first where they are new. Only `current` may be new. */
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

/** Secrets that this process keeps in its memory. */
export interface KeptSecrets extends Secrets {
  /**
   * Zeroes what this process keeps of every key that was destroyed, by whichever process. To be called all the time: a
   * process that nothing is asked of would keep a key in its memory.
   */
  readonly forgetDestroyed: () => Promise<void>
}
