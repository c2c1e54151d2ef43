import { sha256 } from '@noble/hashes/sha2'
import {
  fixEncoderSize,
  getBytesEncoder,
  getI64Encoder,
  getStructEncoder,
  getU64Encoder,
  type Address,
} from '@solana/kit'
import { addressBytes, fieldToBytes } from './field.ts'
import type { Amount, UnixSeconds } from './units.ts'

/** What an authoriser signs and the program checks: the whole bargain of one deposit. */
export interface DepositTerms {
  /** 16 random bytes; the Order account's seed. */
  readonly orderId: Uint8Array
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  /** Debited from the sender, base units of the source, the partner's share included. */
  readonly amountIn: Amount
  /** What the note pays, base units of the destination. */
  readonly amountOut: Amount
  /** Service and network fee, base units of the source. */
  readonly fee: Amount
  readonly partnerFee: Amount
  /** The account credited with the partner's share; absent exactly where the share is 0. */
  readonly partnerAccount?: Address | undefined
  /** Last second in which the deposit may land, by the chain's clock. */
  readonly deadline: UnixSeconds
  /** Last second of the authorisation itself; at most the deadline. */
  readonly validUntil: UnixSeconds
  /** Last second of delivery, on the time grid. */
  readonly expiry: UnixSeconds
  /** The note's inner commitment. */
  readonly inner: bigint
  /** 52 bytes the program doesn't read: epoch, sealed recipient, tag. */
  readonly payload: Uint8Array
}

/** The program's id and its Pool's domain: an authorisation is good for one pool of one cluster. */
export interface PoolIdentity {
  readonly program: Address
  readonly domain: Uint8Array
}

const PREFIX = new TextEncoder().encode('sotto/deposit/v1')
const NO_ACCOUNT = new Uint8Array(32)
const bytes = (size: number) => fixEncoderSize(getBytesEncoder(), size)

const encoder = getStructEncoder([
  ['prefix', bytes(16)],
  ['program', bytes(32)],
  ['domain', bytes(32)],
  ['orderId', bytes(16)],
  ['sender', bytes(32)],
  ['sourceMint', bytes(32)],
  ['destinationMint', bytes(32)],
  ['amountIn', getU64Encoder()],
  ['amountOut', getU64Encoder()],
  ['fee', getU64Encoder()],
  ['partnerFee', getU64Encoder()],
  ['partner', bytes(32)],
  ['deadline', getI64Encoder()],
  ['validUntil', getI64Encoder()],
  ['expiry', getI64Encoder()],
  ['inner', bytes(32)],
  ['payloadHash', bytes(32)],
])

/** The 32-byte message of the ed25519 instruction; its format is in docs/protocol.md. */
export function termsDigest(pool: PoolIdentity, terms: DepositTerms): Uint8Array {
  const partner = terms.partnerAccount
  return sha256(
    new Uint8Array(
      encoder.encode({
        ...terms,
        program: addressBytes(pool.program),
        domain: pool.domain,
        prefix: PREFIX,
        sender: addressBytes(terms.sender),
        sourceMint: addressBytes(terms.sourceMint),
        destinationMint: addressBytes(terms.destinationMint),
        partner: partner === undefined ? NO_ACCOUNT : addressBytes(partner),
        inner: fieldToBytes(terms.inner),
        payloadHash: sha256(terms.payload),
      }),
    ),
  )
}
