import {
  addDecoderSizePrefix,
  fixDecoderSize,
  getAddressDecoder,
  getArrayDecoder,
  getBytesDecoder,
  getShortU16Decoder,
  getStructDecoder,
  getU8Decoder,
} from '@solana/kit'
import { encodeBase58 } from '@sotto/protocol'
import type { DecodedMessage } from '../chain/decoded-transaction.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'

/** A transaction that landed, with its signatures in base58. */
export interface LandedMessage extends DecodedMessage {
  readonly signatures: readonly string[]
}

const VERSIONED = 0x80

const byte = getU8Decoder()
const size = getShortU16Decoder()
const bytes = addDecoderSizePrefix(getBytesDecoder(), size)
const indexes = getArrayDecoder(byte, { size })
const listOf = (length: number) =>
  getArrayDecoder(fixDecoderSize(getBytesDecoder(), length), { size })

const signatureList = listOf(64)
const header = getStructDecoder([
  ['signers', byte],
  ['readonlySigners', byte],
  ['readonlyNonSigners', byte],
])
const instruction = getStructDecoder([
  ['programIndex', byte],
  ['accountIndices', indexes],
  ['data', bytes],
])
const lookup = getStructDecoder([
  ['table', getAddressDecoder()],
  ['writableIndexes', indexes],
  ['readonlyIndexes', indexes],
])
const body = getStructDecoder([
  ['header', header],
  ['accounts', listOf(32)],
  ['blockhash', fixDecoderSize(getBytesDecoder(), 32)],
  ['instructions', getArrayDecoder(instruction, { size })],
])
const lookups = getArrayDecoder(lookup, { size })

/**
 * Reads a landed transaction's message. The record already has the addresses and the blockhash in base58. Encoding them
 * again would take most of the time of an answer.
 */
export function landedMessage(record: TransactionRecord): LandedMessage {
  const { wire, accountKeys, recentBlockhash } = record
  const [signatures, start] = signatureList.read(wire, 0)
  const isVersioned = ((wire[start] ?? 0) & VERSIONED) !== 0
  const [message, end] = body.read(wire, isVersioned ? start + 1 : start)
  return {
    version: isVersioned ? 0 : 'legacy',
    header: message.header,
    instructions: message.instructions.map((one) => ({ ...one, data: new Uint8Array(one.data) })),
    staticAccounts: accountKeys.slice(0, message.accounts.length),
    recentBlockhash,
    lookups: isVersioned ? lookups.decode(wire, end) : [],
    signatures: signatures.map((signature) => encodeBase58(new Uint8Array(signature))),
  }
}
