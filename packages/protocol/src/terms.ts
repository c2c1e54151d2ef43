import { sha256 } from '@noble/hashes/sha2'
import type { Address } from '@solana/kit'
import { ByteWriter } from './byte-writer.ts'
import { addressBytes, fieldToBytes } from './field.ts'
import type { Amount, UnixSeconds } from './units.ts'

/** The terms of one deposit. An authoriser signs them, and the program checks them. */
export interface DepositTerms {
  /** 16 random bytes, which are the seed of the Order account. */
  readonly orderId: Uint8Array
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  /** The amount debited from the sender, including the partner's share, in base units of the source. */
  readonly amountIn: Amount
  /** The note's value, in base units of the destination. For a send, it is `amountIn - partnerFee`. */
  readonly value: Amount
  /** The partner's share, in base units of the source. */
  readonly partnerFee: Amount
  /** The account credited with the partner's share; absent if and only if the share is 0. */
  readonly partnerAccount?: Address | undefined
  /** The last second in which the deposit may land, by the chain's clock. It is a multiple of 600 seconds. */
  readonly deadline: UnixSeconds
  /** The last second in which the authorisation is valid. It isn't after the deadline. */
  readonly validUntil: UnixSeconds
  /** The note's inner commitment. */
  readonly inner: bigint
  /** 65 bytes that the program only hashes: the epoch, sealed data that restores the order, and a tag. */
  readonly payload: Uint8Array
}

/**
 * The program's id and its Pool's domain. They are signed together with the terms, so that an authorisation is valid
 * for only one pool of one cluster.
 */
export interface PoolIdentity {
  readonly program: Address
  readonly domain: Uint8Array
}

const PREFIX = new TextEncoder().encode('sotto/deposit/v2')
const NO_ACCOUNT = new Uint8Array(32)
const TERMS_BYTES = 328

/** The 32-byte message of the ed25519 instruction. Its format is in docs/protocol.md. */
export function termsDigest(pool: PoolIdentity, terms: DepositTerms): Uint8Array {
  const partner = terms.partnerAccount
  const message = new ByteWriter(TERMS_BYTES)
    .bytes(PREFIX, 16)
    .bytes(addressBytes(pool.program), 32)
    .bytes(pool.domain, 32)
    .bytes(terms.orderId, 16)
    .bytes(addressBytes(terms.sender), 32)
    .bytes(addressBytes(terms.sourceMint), 32)
    .bytes(addressBytes(terms.destinationMint), 32)
    .u64(terms.amountIn)
    .u64(terms.value)
    .u64(terms.partnerFee)
    .bytes(partner === undefined ? NO_ACCOUNT : addressBytes(partner), 32)
    .i64(terms.deadline)
    .i64(terms.validUntil)
    .bytes(fieldToBytes(terms.inner), 32)
    .bytes(sha256(terms.payload), 32)
    .done()
  return sha256(message)
}
