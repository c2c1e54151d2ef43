import { getBase58Encoder } from '@solana/kit'
import {
  type DecodedTransaction,
  MalformedTransaction,
  decodeTransaction,
} from '../chain/decoded-transaction.ts'
import { INVALID_PARAMS, RpcError } from './rpc-error.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The longest base58 and base64 texts of a network packet (agave, rpc/src/rpc.rs). */
const MAX_BASE58_TEXT = 1683
const MAX_BASE64_TEXT = 1644

/** Decodes a transaction parameter of `sendTransaction` or `simulateTransaction`. */
export function decodeTransactionParam(
  text: string,
  encoding: 'base58' | 'base64',
): DecodedTransaction {
  const longest = encoding === 'base58' ? MAX_BASE58_TEXT : MAX_BASE64_TEXT
  if (text.length > longest) {
    throw new RpcError(
      INVALID_PARAMS,
      `${encoding} encoded transaction too large: ${text.length} bytes (max: encoded ${longest})`,
    )
  }
  try {
    return decodeTransaction(decodeBytes(text, encoding))
  } catch (error) {
    if (error instanceof MalformedTransaction) throw new RpcError(INVALID_PARAMS, error.message)
    throw error
  }
}

/** Decodes bytes given as text. Throws the same RPC error as a validator if the text is malformed. */
export function decodeBytes(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  if (encoding === 'base64') {
    if (!BASE64.test(text)) throw new RpcError(INVALID_PARAMS, 'invalid base64 encoding')
    return new Uint8Array(Buffer.from(text, 'base64'))
  }
  try {
    return new Uint8Array(getBase58Encoder().encode(text))
  } catch {
    throw new RpcError(INVALID_PARAMS, 'invalid base58 encoding')
  }
}
