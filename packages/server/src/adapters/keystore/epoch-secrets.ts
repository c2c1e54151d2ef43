import { addressBytes, addressFromBytes, bigintFromBytes, FIELD_MODULUS } from '@sotto/protocol'
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, SealLabel } from '../../ports/secrets.ts'
import { hkdf } from './hkdf.ts'
import { hmacSha256 } from './hmac-sha256.ts'
import { pad, unpad } from './padding.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const EPOCH_BYTES = 4
const PAYLOAD_BYTES = 52
const NO_SALT = new Uint8Array(0)
/** A key that encrypts one message in its life may use a fixed nonce. */
const ONLY_NONCE = new Uint8Array(NONCE_BYTES)

/**
 * Larger than what each label's clear bytes ever were: terms with a resealed note's secret, an outcome
 * with signature and reason, an attempt with a whole transaction, an answer with transaction and
 * ticket. What grows past its size takes the next multiple of it.
 */
const PADDED_BYTES: Readonly<Record<SealLabel, number>> = {
  terms: 384,
  response: 4_096,
  plan: 128,
  outcome: 512,
  attempt: 2_560,
  event: 1_536,
}

function derive(key: Uint8Array, salt: Uint8Array, label: string, size: number): Uint8Array {
  return hkdf(key, salt, `sotto/${label}/v1`, size)
}

/** What stands in front, the ciphertext and its tag. */
function encrypt(
  front: Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
  associated: Uint8Array,
  clear: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(associated)
  const sealed = cipher.update(clear)
  // In this mode nothing is held back until the end.
  cipher.final()
  const whole = new Uint8Array(front.length + sealed.length + TAG_BYTES)
  whole.set(front)
  whole.set(sealed, front.length)
  whole.set(cipher.getAuthTag(), front.length + sealed.length)
  return whole
}

/** @throws Error where key, nonce, associated data or ciphertext aren't those of the encryption. */
function decrypt(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array) {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(associated)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const clear = decipher.update(sealed.subarray(0, -TAG_BYTES))
  // Throws where the tag isn't right; gives no more bytes.
  decipher.final()
  return new Uint8Array(clear)
}

function epochBytes(epoch: number): Buffer {
  const bytes = Buffer.alloc(EPOCH_BYTES)
  bytes.writeUInt32LE(epoch)
  return bytes
}

/** Everything that one epoch's 32-byte key gives: HKDF-SHA256, AES-256-GCM and HMAC-SHA256. */
export function epochSecrets(epoch: number, key: Uint8Array, random: Random): EpochSecrets {
  const head = epochBytes(epoch)
  const fingerprint = hmacSha256(derive(key, NO_SALT, 'fingerprint', 32))
  const pseudonym = hmacSha256(derive(key, NO_SALT, 'pseudonym', 32))
  const quoteMac = hmacSha256(derive(key, NO_SALT, 'quote', 32))
  return {
    epoch,
    noteKey: (orderId) => bigintFromBytes(derive(key, orderId, 'nk', 64)) % FIELD_MODULUS,
    sealRecipient: (orderId, recipient) => {
      const own = derive(key, orderId, 'recipient', 32)
      return encrypt(head, own, ONLY_NONCE, head, addressBytes(recipient))
    },
    openRecipient: (orderId, payload) => {
      if (payload.length !== PAYLOAD_BYTES || !head.equals(payload.subarray(0, EPOCH_BYTES))) {
        throw new Error("the payload isn't one of this epoch")
      }
      const own = derive(key, orderId, 'recipient', 32)
      return addressFromBytes(decrypt(own, ONLY_NONCE, head, payload.subarray(EPOCH_BYTES)))
    },
    pseudonym: (orderId) => pseudonym(orderId),
    seal: (orderId, label, clear) => {
      const nonce = random.bytes(NONCE_BYTES)
      const own = derive(key, orderId, `seal/${label}`, 32)
      const padded = pad(clear, PADDED_BYTES[label])
      return encrypt(nonce, own, nonce, head, padded)
    },
    open: (orderId, label, sealed) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('too short to be sealed')
      const own = derive(key, orderId, `seal/${label}`, 32)
      const padded = decrypt(
        own,
        sealed.subarray(0, NONCE_BYTES),
        head,
        sealed.subarray(NONCE_BYTES),
      )
      return unpad(padded)
    },
    fingerprint: (message) => fingerprint(message),
    quoteMac: (message) => quoteMac(message).subarray(0, 16),
  }
}
