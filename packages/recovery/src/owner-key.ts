import { fieldToBytes, type OwnerOf, type OwnerSignature } from '@sotto/protocol'
import type * as Eddsa from '@zk-kit/eddsa-poseidon'
import { createRequire } from 'node:module'

// Node can't import the package's modules: they name what a CommonJS package exports otherwise.
const require = createRequire(import.meta.url)
const { derivePublicKey, signMessage } = require('@zk-kit/eddsa-poseidon') as typeof Eddsa

/** The public key of a balance owner's secret, on BabyJubJub. */
export const ownerOf: OwnerOf = (secret) => {
  const [x, y] = derivePublicKey(fieldToBytes(secret))
  return { x, y }
}

/** The owner's signature of a payment, whose message `paymentMessage` makes. */
export function signPayment(secret: bigint, message: bigint): OwnerSignature {
  const { S, R8 } = signMessage(fieldToBytes(secret), message)
  const [x, y] = R8
  return { S, R8: { x, y } }
}
