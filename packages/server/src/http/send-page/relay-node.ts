import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type CompiledTransactionMessage,
} from '@solana/kit'
import { z } from 'zod'
import { invalid, ServiceError } from '../../usecases/service-error.ts'
import { validate } from '../validate.ts'

/**
 * The methods that a transfer calls. Most of them read accounts, the block height and the chain's identity.
 * `getSignaturesForAddress` and `getTransaction` find and read the transaction that settled the order.
 * `sendTransaction` sends a signed transaction.
 */
const METHODS = [
  'getAccountInfo',
  'getMultipleAccounts',
  'getBlockHeight',
  'getGenesisHash',
  'getBalance',
  'getTokenAccountBalance',
  'getSignaturesForAddress',
  'getTransaction',
  'sendTransaction',
] as const
/** The methods on a local chain. The additional method funds the test wallet. */
const LOCAL_METHODS = [...METHODS, 'requestAirdrop'] as const
const ACCOUNTS_MAX = 16

const requestOf = <const Methods extends readonly [string, ...string[]]>(methods: Methods) =>
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string().max(64), z.int()]),
    method: z.enum(methods),
    params: z
      .tuple([z.union([z.string().max(4_096), z.array(z.string().max(64)).max(ACCOUNTS_MAX)])])
      .rest(z.unknown())
      .or(z.array(z.record(z.string(), z.unknown())).max(1)),
  })

const REQUEST = requestOf(METHODS)
const LOCAL_REQUEST = requestOf(LOCAL_METHODS)

/** The largest transaction of the chain, 1,232 bytes, in base64. */
const TRANSACTION_DIGITS_MAX = 1_644
/**
 * The parameters of a transaction. The node always simulates it, so a transaction that would fail isn't sent to the
 * cluster.
 */
const TRANSACTION = z.tuple([
  z.base64().max(TRANSACTION_DIGITS_MAX),
  z.strictObject({
    encoding: z.literal('base64'),
    preflightCommitment: z.enum(['processed', 'confirmed', 'finalized']).optional(),
  }),
])

/**
 * Forwards a request to a node and returns the text of the response. Returns undefined if the response is larger than
 * any page needs. A transaction is sent to the endpoints for sending, if any are configured.
 * @throws if no node responds. If the nodes demand a pause, the error's `retryAfterSeconds` is the length of the pause.
 */
export type AskNode = (body: string, isTransaction?: boolean) => Promise<string | undefined>

const RETRY_AFTER_SECONDS = 2

/** The pause that the nodes demand, in seconds; undefined if the request failed for another reason. */
function demandedBy(cause: unknown): number | undefined {
  if (!(cause instanceof Error && 'retryAfterSeconds' in cause)) return undefined
  const { retryAfterSeconds } = cause
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined
}

/** The settings of the relay. */
export interface RelayOptions {
  readonly isLocal: boolean
  /**
   * Only transactions that call this program are forwarded, so that a visitor can't send other transactions at the
   * operator's expense.
   */
  readonly programId: string
}

/**
 * Forwards one of the few requests that a page needs. The forwarded request is built from the validated parts of the
 * page's request.
 *
 * @throws ServiceError INVALID_REQUEST, UPSTREAM_UNAVAILABLE.
 */
export async function relayNode(
  ask: AskNode,
  { isLocal, programId }: RelayOptions,
  body: unknown,
): Promise<string> {
  const request = validate(isLocal ? LOCAL_REQUEST : REQUEST, body)
  const isTransaction = request.method === 'sendTransaction'
  if (isTransaction) {
    const [wire] = validate(TRANSACTION, request.params)
    if (!callsProgram(wire, programId)) {
      throw invalid('params', "must contain a signed transaction that calls this service's program")
    }
  }
  let text: string | undefined
  try {
    text = await ask(JSON.stringify(request), isTransaction)
  } catch (cause) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', {
      ...{ cause, retryAfterSeconds: demandedBy(cause) ?? RETRY_AFTER_SECONDS },
    })
  }
  // Requesting too much data is the caller's fault, so it must not raise an alert or be logged as an error.
  if (text === undefined) throw invalid('params', 'request more than a page needs')
  return text
}

/** True if a transaction has every signature that it needs, and an instruction for the program. */
function callsProgram(wire: string, programId: string): boolean {
  try {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
    const decoded = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const signatures = Object.values(transaction.signatures)
    return signatures.every((one) => one !== null) && programsOf(decoded).includes(programId)
  } catch {
    return false
  }
}

const programsOf = (message: CompiledTransactionMessage): (string | undefined)[] =>
  'instructions' in message
    ? message.instructions.map(({ programAddressIndex: at }) => message.staticAccounts[at])
    : []
