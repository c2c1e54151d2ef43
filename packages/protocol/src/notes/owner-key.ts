import { fieldToBytes } from '../field.ts'
import { eddsaPublicKey, eddsaSign } from './eddsa.ts'
import type { Poseidon } from './note.ts'
import type { OwnerSignature } from './settle-witness.ts'
import type { OwnerOf } from './ticket.ts'

/** The public key of a balance owner's secret, on BabyJubJub. */
export const ownerOf: OwnerOf = (secret) => eddsaPublicKey(fieldToBytes(secret))

/** The owner's signature of a payment. `message` is the result of `paymentMessage`. */
export function signPayment(poseidon: Poseidon, secret: bigint, message: bigint): OwnerSignature {
  return eddsaSign(poseidon, fieldToBytes(secret), message)
}
