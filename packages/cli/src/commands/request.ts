import type { QuoteRequest, Token, TokensResponse } from '@sotto/sdk/server'
import { isAddress } from '@sotto/protocol'
import { assertStated, findAsset } from '../amounts/asset.ts'
import { toBaseUnits } from '../amounts/decimal.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'

/** The arguments of a transfer, as the user typed them. */
export interface TransferArguments {
  /**
   * The amount in whole coins. For a send, it is the amount that arrives, or with `exactIn` the amount that is paid.
   * For a swap, it is the amount that is paid.
   */
  readonly amount: string
  readonly from: string
  readonly to: string
  readonly recipient: string
}

export interface TransferTerms {
  /** True if `amount` is the amount that arrives. This is the default for a send. */
  readonly exactOut?: boolean
  /** True if `amount` is the amount that is paid. This is the default for a swap. */
  readonly exactIn?: boolean
  /** True for a delivery without a delay. Such a delivery has no privacy. */
  readonly fast?: boolean
  readonly minDelay?: number
  readonly maxDelay?: number
  /** Minimum number of wallets in the crowd that the delivery waits for, including the sender's wallet. */
  readonly minCrowd?: number
  readonly ifMissed?: 'refund' | 'deliver'
  readonly feeBps?: number
  readonly feeRecipient?: string
}

/** A request with its assets, which are needed to show amounts. */
export interface NamedRequest {
  readonly request: QuoteRequest
  readonly source: Token
  readonly destination: Token
}

/**
 * The two assets of a transfer, with checked symbols and decimals. A false symbol would make the user pay with another
 * asset, and false decimals would change the amount. @throws CliError.
 */
export async function readAssets(context: CliContext, from: string, to: string) {
  const listed = await listTokens(context)
  const source = findAsset(listed, from)
  const destination = findAsset(listed, to)
  const rpc = await context.rpc()
  await assertStated(rpc, source)
  if (destination !== source) await assertStated(rpc, destination)
  return { source, destination }
}

/**
 * Converts the asset names and decimal amounts that the user typed to a request. Decimals are compared with the chain.
 * @throws CliError.
 */
export async function readRequest(
  context: CliContext,
  named: TransferArguments,
  terms: TransferTerms,
  senderAddress: string,
): Promise<NamedRequest> {
  assertRecipient(named.recipient)
  const { source, destination } = await readAssets(context, named.from, named.to)
  const mode = modeOf(terms, source !== destination)
  const pinned = mode === 'exact_out' ? destination : source
  const amount = toBaseUnits(named.amount, pinned.decimals, pinned.symbol)
  const request: QuoteRequest = {
    amount: `${amount}`,
    sourceAssetId: source.assetId,
    destinationAssetId: destination.assetId,
    senderAddress,
    recipientAddress: named.recipient,
    mode,
    ...delaysOf(terms),
    ...crowdOf(terms),
    ...(terms.feeBps === undefined ? {} : { feeBps: terms.feeBps }),
    ...(terms.feeRecipient === undefined ? {} : { feeRecipientAddress: terms.feeRecipient }),
  }
  return { request, source, destination }
}

/**
 * The request's mode. By default, a send fixes the amount that arrives, so that the recipient gets exactly the typed
 * amount. If the fee were deducted from the typed amount, the recipient would get an unusual amount that no one else
 * sends. A swap can fix only the amount that is paid.
 * @throws CliError if the options contradict each other.
 */
function modeOf({ exactIn, exactOut }: TransferTerms, isSwap: boolean): 'exact_in' | 'exact_out' {
  if (exactIn !== true) return isSwap && exactOut !== true ? 'exact_in' : 'exact_out'
  if (exactOut !== true) return 'exact_in'
  const message = '--exact-in and --exact-out contradict each other'
  throw new CliError(EXIT.usage, 'CONTRADICTORY_MODES', message, 'leave out one of them')
}

/** @throws CliError if `--fast` contradicts a delay. */
function delaysOf({ fast, minDelay, maxDelay }: TransferTerms) {
  if (fast !== true) {
    return {
      ...(minDelay === undefined ? {} : { minDelaySeconds: minDelay }),
      ...(maxDelay === undefined ? {} : { maxDelaySeconds: maxDelay }),
    }
  }
  if (minDelay === undefined && maxDelay === undefined) {
    return { minDelaySeconds: 0, maxDelaySeconds: 0 }
  }
  const next = 'leave out --fast, or --min-delay and --max-delay'
  throw new CliError(EXIT.usage, 'CONTRADICTORY_DELAYS', '--fast asks for no delay', next)
}

/** @throws CliError if `--if-missed` is given without a crowd. */
function crowdOf({ minCrowd, ifMissed }: TransferTerms) {
  if (minCrowd !== undefined) {
    return { minCrowd, ...(ifMissed === undefined ? {} : { crowdMissed: ifMissed }) }
  }
  if (ifMissed === undefined) return {}
  const next = 'add --min-crowd, or leave out --if-missed'
  throw new CliError(EXIT.usage, 'NO_CROWD', '--if-missed needs a crowd', next)
}

/** All assets that the service lists. */
export async function listTokens({ client, signal }: CliContext): Promise<TokensResponse> {
  return (await client()).tokens({ signal })
}

function assertRecipient(recipient: string): void {
  if (isAddress(recipient)) return
  throw new CliError(
    EXIT.usage,
    'ADDRESS_INVALID',
    `"${recipient}" is not a Solana address`,
    'give the recipient as a base58 address',
  )
}
