import { isSolanaError, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED } from '@solana/kit'

/** The code of a node's error if a listing starts or ends at a signature that the node doesn't know. */
const UNKNOWN_SIGNATURE = -32_020

interface Coded {
  readonly context?: { readonly __code?: unknown; readonly statusCode?: unknown }
}

const contextOf = (error: unknown): Coded['context'] =>
  error instanceof Error ? (error as Coded).context : undefined

/**
 * The code of a node's JSON-RPC error, such as -32020, as the client library reports it; undefined for other errors.
 * The library's own codes aren't negative.
 */
export function rpcErrorCode(error: unknown): number | undefined {
  const code = contextOf(error)?.__code
  return typeof code === 'number' && code < 0 ? code : undefined
}

/** True for the error codes of JSON-RPC and of Solana, which the client library knows. */
export const isKnownRpcCode = (code: number): boolean =>
  (code >= -32_603 && code <= -32_600) || code === -32_700 || (code >= -32_020 && code <= -32_001)

/** The HTTP status with which a node refused a request; undefined for other errors. */
export function rpcHttpStatus(error: unknown): number | undefined {
  const status = contextOf(error)?.statusCode
  return typeof status === 'number' ? status : undefined
}

/**
 * True for the error that a node returns if a listing starts or ends at a signature that the node doesn't know. The
 * node pruned the signature or never saw it. Agave returns this error since version 4.0. Older versions ignore an
 * unknown signature: the listing then starts at the newest signature, or ends at the oldest.
 */
export const isUnknownSignature = (error: unknown): boolean =>
  rpcErrorCode(error) === UNKNOWN_SIGNATURE

/**
 * The JSON-RPC error codes of a node that didn't send a transaction. The transaction's simulation failed, a signature
 * is wrong, the node lags, or the request itself is wrong.
 */
const NOT_SENT: ReadonlySet<number | undefined> = new Set([
  ...[-32_002, -32_003, -32_005, -32_600, -32_601, -32_602, -32_700],
])

/**
 * True if a transaction may have been sent although the request failed. There are three cases. The node gave no
 * JSON-RPC response, for example because the connection broke or a balancer answered in its place. The node answered
 * with a code that isn't in `NOT_SENT`, for example because a gateway failed after it had forwarded the transaction. Or
 * the node says that it has already processed these bytes.
 */
export const mayBeSent = (error: unknown): boolean =>
  !NOT_SENT.has(rpcErrorCode(error)) ||
  (error instanceof Error &&
    isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED))
