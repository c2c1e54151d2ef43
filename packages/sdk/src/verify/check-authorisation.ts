import { verifyAsync } from '@noble/ed25519'
import {
  addressBytes,
  addressFromBytes,
  authorisationInstruction,
  type PoolAccount,
} from '@sotto/protocol'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { isSameBytes, type DecodedInstruction } from './decode-order-message.ts'
import type { Findings } from './refusal.ts'

const KEY_AT = 16
const SIGNATURE_AT = 48
const DIGEST_AT = 112
const SIZE = 144

/**
 * Checks that one of the pool's authoriser keys has signed the terms, in exactly the form that the program will read.
 */
export async function checkAuthorisation(
  findings: Findings,
  { program, accounts, data }: DecodedInstruction,
  pool: PoolAccount,
  digest: Uint8Array,
): Promise<void> {
  const demand = (condition: boolean, message: string) =>
    findings.demand(condition, 'authorisation', message)
  if (data.length !== SIZE) return demand(false, 'the authorisation is malformed')
  const key = data.subarray(KEY_AT, SIGNATURE_AT)
  const signature = data.subarray(SIGNATURE_AT, DIGEST_AT)
  const whole = authorisationInstruction(key, signature, digest)
  const isForm = program === whole.programAddress && accounts.length === 0
  demand(
    isForm && isSameBytes(data, whole.data ?? []),
    'the authorisation is not for these terms in this pool',
  )
  const authoriser = addressFromBytes(key)
  // An unset key slot contains the all-zero address, which must not count as a key.
  const isKnown =
    authoriser !== SYSTEM_PROGRAM_ADDRESS && pool.authorisers.some((one) => one === authoriser)
  demand(isKnown, 'the terms are signed by a key that the pool does not list')
  demand(
    await isSigned(signature, digest, addressBytes(authoriser)),
    "the authoriser's signature is forged",
  )
}

/** True if the signature is valid by the strict rules of RFC 8032. The cluster applies the same rules. */
export async function isSigned(
  signature: Uint8Array,
  message: Uint8Array,
  key: Uint8Array,
): Promise<boolean> {
  try {
    return await verifyAsync(signature, message, key, { zip215: false })
  } catch {
    // The bytes don't encode a valid signature or a valid point.
    return false
  }
}
