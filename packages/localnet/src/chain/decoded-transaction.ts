import { createHash } from 'node:crypto'
import type { Address, Transaction } from '@solana/kit'
import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit'

/** The largest transaction that fits a network packet, in bytes. */
export const MAX_TRANSACTION_BYTES = 1232

export interface DecodedInstruction {
  readonly programIndex: number
  readonly accountIndices: readonly number[]
  readonly data: Uint8Array
}

export interface AddressTableLookup {
  readonly table: Address
  readonly writableIndexes: readonly number[]
  readonly readonlyIndexes: readonly number[]
}

/** A message, decoded once for all functions that need its parts. */
export interface DecodedMessage {
  readonly version: 'legacy' | 0
  readonly header: {
    readonly signers: number
    readonly readonlySigners: number
    readonly readonlyNonSigners: number
  }
  readonly staticAccounts: readonly Address[]
  readonly recentBlockhash: string
  readonly instructions: readonly DecodedInstruction[]
  readonly lookups: readonly AddressTableLookup[]
}

export interface DecodedTransaction extends DecodedMessage {
  readonly wire: Uint8Array
  readonly signature: string
  readonly messageHash: string
  readonly transaction: Transaction
}

/** Thrown if the bytes aren't a transaction that this chain accepts. The error's message gives the reason. */
export class MalformedTransaction extends Error {}

const base58 = getBase58Decoder()
const NO_SIGNATURE = new Uint8Array(64)

/** Decodes the bytes of a transaction as sent over the network. Throws MalformedTransaction. */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  if (wire.length > MAX_TRANSACTION_BYTES) {
    throw new MalformedTransaction(
      `transaction too large: ${wire.length} bytes (max: raw ${MAX_TRANSACTION_BYTES})`,
    )
  }
  return orMalformed(() => {
    const transaction = getTransactionDecoder().decode(wire)
    const [signature] = Object.values(transaction.signatures)
    const message = new Uint8Array(transaction.messageBytes)
    return {
      ...decodeMessage(message),
      wire,
      signature: base58.decode(signature ?? NO_SIGNATURE),
      messageHash: createHash('sha256').update(message).digest('base64'),
      transaction,
    }
  })
}

/** Decodes a message. Throws MalformedTransaction. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const message = orMalformed(() => getCompiledTransactionMessageDecoder().decode(bytes))
  if (message.version !== 'legacy' && message.version !== 0) {
    throw new MalformedTransaction('transaction version is not supported')
  }
  return {
    version: message.version,
    header: {
      signers: message.header.numSignerAccounts,
      readonlySigners: message.header.numReadonlySignerAccounts,
      readonlyNonSigners: message.header.numReadonlyNonSignerAccounts,
    },
    staticAccounts: message.staticAccounts,
    recentBlockhash: message.lifetimeToken,
    instructions: message.instructions.map((instruction) => ({
      programIndex: instruction.programAddressIndex,
      accountIndices: instruction.accountIndices ?? [],
      data: new Uint8Array(instruction.data ?? []),
    })),
    lookups: readLookups(message),
  }
}

function orMalformed<T>(decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    if (cause instanceof MalformedTransaction) throw cause
    throw new MalformedTransaction('failed to deserialize the transaction', { cause })
  }
}

function readLookups(message: object): AddressTableLookup[] {
  if (!('addressTableLookups' in message) || !Array.isArray(message.addressTableLookups)) return []
  return message.addressTableLookups.map((lookup) => ({
    table: lookup.lookupTableAddress,
    writableIndexes: lookup.writableIndexes,
    readonlyIndexes: lookup.readonlyIndexes,
  }))
}

/** True if the transaction may write the static account at this index. */
export function isWritableStatic(decoded: DecodedMessage, index: number): boolean {
  const { signers, readonlySigners, readonlyNonSigners } = decoded.header
  if (index < signers) return index < signers - readonlySigners
  return index < decoded.staticAccounts.length - readonlyNonSigners
}
