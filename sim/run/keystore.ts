import { addressBytes, FIELD_MODULUS, bigintFromBytes } from '@sotto/protocol'
import { createHash } from 'node:crypto'
import { hexOf } from '../../packages/server/src/domain/hex.ts'
import type { EpochSecrets, SealLabel, Secrets } from '../../packages/server/src/ports/secrets.ts'
import type { SeededRandom } from '../time/seeded-random.ts'

const TAG_BYTES = 16
const NONCE_BYTES = 8
const PAYLOAD_BYTES = 65
const RECIPIENT_AT = 17

function digest(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('|')
  return new Uint8Array(hash.digest())
}

/**
 * The content of a sealed column, as the checks read it. The simulator encrypts nothing: a run checks whether the
 * correct bytes are stored, not whether they are secret.
 */
export const unsealed = (sealed: Uint8Array): Uint8Array => sealed.subarray(TAG_BYTES + NONCE_BYTES)

function joined(tag: Uint8Array, nonce: Uint8Array, clear: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(TAG_BYTES + NONCE_BYTES + clear.length)
  sealed.set(tag)
  sealed.set(nonce, TAG_BYTES)
  sealed.set(clear, TAG_BYTES + NONCE_BYTES)
  return sealed
}

function epochSecrets(epoch: number, key: Uint8Array, random: SeededRandom): EpochSecrets {
  // Caches derived values by their input, because a run derives the same few values thousands of times.
  const derived = new Map<string, Uint8Array>()
  const derive = (orderId: Uint8Array, label: SealLabel | 'nk' | 'pseudonym'): Uint8Array => {
    const name = `${hexOf(orderId)} ${label}`
    const known = derived.get(name) ?? digest(key, orderId, label)
    derived.set(name, known)
    return known
  }
  const tag = (orderId: Uint8Array, label: SealLabel) =>
    derive(orderId, label).subarray(0, TAG_BYTES)
  return {
    epoch,
    noteKey: (orderId) => bigintFromBytes(derive(orderId, 'nk')) % FIELD_MODULUS,
    sealPayload: (orderId, terms) => {
      const payload = new Uint8Array(PAYLOAD_BYTES)
      payload.set(digest(key, orderId, `${terms.expiry}`).subarray(0, RECIPIENT_AT))
      if (terms.kind === 'transfer') payload.set(addressBytes(terms.recipient), RECIPIENT_AT)
      return payload
    },
    openPayload: () => {
      throw new Error('the simulator does not restore orders from deposits')
    },
    pseudonym: (orderId) => derive(orderId, 'pseudonym'),
    seal: (orderId, label, clear) => joined(tag(orderId, label), random.bytes(NONCE_BYTES), clear),
    open: (orderId, label, sealed) => {
      if (Buffer.compare(sealed.subarray(0, TAG_BYTES), tag(orderId, label)) !== 0) {
        throw new Error('the bytes were not sealed for this key and place')
      }
      return unsealed(sealed)
    },
    fingerprint: (message) => digest(key, 'fingerprint', message),
    quoteMac: (message) => digest(key, 'quote', message).subarray(0, 16),
  }
}

/** The keystore that all processes share. */
export class Keystore implements Secrets {
  readonly #random: SeededRandom
  readonly #keys = new Map<number, EpochSecrets>()

  /** A keystore in which `epochs` already have keys. */
  constructor(random: SeededRandom, epochs: readonly number[]) {
    this.#random = random
    for (const epoch of epochs) this.#make(epoch)
  }

  readonly forNewOrder = async (epoch: number): Promise<EpochSecrets> => {
    return this.#keys.get(epoch) ?? this.#make(epoch)
  }

  /** The key of an epoch; created if it doesn't exist. The set-up of a run calls this method. */
  keyOf(epoch: number): EpochSecrets {
    return this.#keys.get(epoch) ?? this.#make(epoch)
  }

  readonly read = async (epoch: number): Promise<EpochSecrets | undefined> => this.#keys.get(epoch)

  readonly destroy = async (epoch: number): Promise<void> => {
    this.#keys.delete(epoch)
  }

  readonly list = async (): Promise<number[]> => [...this.#keys.keys()].sort((a, b) => a - b)

  readonly apiKeyHmac = async (secret: string): Promise<Uint8Array> => digest('pepper', secret)

  #make(epoch: number): EpochSecrets {
    const made = epochSecrets(epoch, this.#random.bytes(32), this.#random)
    this.#keys.set(epoch, made)
    return made
  }
}
