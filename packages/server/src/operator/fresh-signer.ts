import { addressFromBytes } from '@sotto/protocol'
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Signer } from '../ports/signer.ts'

/** A key for one signature: it proves that a new account's address is nobody else's. Never kept. */
export function freshSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  return {
    address: addressFromBytes(new Uint8Array(spki.subarray(-32))),
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
  }
}
