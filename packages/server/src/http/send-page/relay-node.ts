import { z } from 'zod'
import { invalid, ServiceError } from '../../usecases/service-error.ts'
import { validate } from '../validate.ts'

/**
 * What a transfer asks its node: accounts, the height, which chain it is, to pass a signed transaction on,
 * and at its end the transaction that settled it.
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
/** What fills the test wallet, where money is worth nothing. */
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

/**
 * Passes a request on to a node and gives its answer's text, undefined where it is larger than any page
 * needs. @throws where no node answers.
 */
export type AskNode = (body: string) => Promise<string | undefined>

/**
 * Passes one of the few requests on that a page needs, rebuilt from what was understood of it.
 *
 * @throws ServiceError INVALID_REQUEST, UPSTREAM_UNAVAILABLE.
 */
export async function relayNode(ask: AskNode, isLocal: boolean, body: unknown): Promise<string> {
  const request = validate(isLocal ? LOCAL_REQUEST : REQUEST, body)
  let text: string | undefined
  try {
    text = await ask(JSON.stringify(request))
  } catch (cause) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', { cause, retryAfterSeconds: 2 })
  }
  // Not a fault of ours or of a node: whoever asks for much must not fill the log or wake anybody.
  if (text === undefined) throw invalid('params', 'ask for more than a page needs')
  return text
}
