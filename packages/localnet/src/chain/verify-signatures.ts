import { createPublicKey, verify } from 'node:crypto'
import { getAddressEncoder } from '@solana/kit'
import type { Address } from '@solana/kit'
import type { DecodedTransaction } from './decoded-transaction.ts'

/** The constant first bytes of the DER encoding of an ed25519 public key in SubjectPublicKeyInfo form (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

const addresses = getAddressEncoder()

/** True if every required signature is present and valid for the message. */
export function isFullySigned(decoded: DecodedTransaction): boolean {
  const message = new Uint8Array(decoded.transaction.messageBytes)
  return Object.entries(decoded.transaction.signatures).every(
    ([signer, signature]) =>
      signature !== null && isSignedBy(signer as Address, signature, message),
  )
}

function isSignedBy(signer: Address, signature: Uint8Array, message: Uint8Array): boolean {
  const spki = Buffer.concat([SPKI_HEAD, Buffer.from(addresses.encode(signer))])
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return verify(null, message, key, signature)
  } catch {
    // A key that isn't a point of the curve can't have made a signature.
    return false
  }
}
