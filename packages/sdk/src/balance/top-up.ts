import type { QuoteRequest } from '@sotto/contract'
import { ownerOf, packOwner, type Ticket } from '@sotto/protocol'
import { closesAt, readClock } from '../transfer/read-deposit.ts'
import { askedFor, type TransferResult, type TransferState } from '../transfer/transfer-state.ts'
import type { ChainContext } from './balance-context.ts'
import { secretIn, type BalanceRecord } from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { indexInTree } from './find-note.ts'
import { onPool } from './on-pool.ts'
import { indexOfLanded } from './own-note.ts'

/** The terms on which a new balance is opened. */
export interface TopUp {
  /**
   * The wallet that pays in. When the balance ends, the service returns the remaining value (the rest) to this
   * wallet.
   */
  readonly senderAddress: string
  readonly assetId: string
  /** The amount that the wallet pays, in base units, as a string of digits. */
  readonly amount: string
  /** Lifetime of the balance in seconds: from one day to 30 days. The default is 30 days. */
  readonly balanceSeconds?: number | undefined
  /**
   * If true, the service returns the rest when the balance ends. If false, the service keeps no data with which it
   * could return the rest. The default is true.
   */
  readonly autoReturn?: boolean | undefined
  readonly feeBps?: number | undefined
  readonly feeRecipientAddress?: string | undefined
}

/** The first state of the transfer that makes the deposit. The deposit's note belongs to the owner of the secret. */
export function depositFor(
  { assetId, senderAddress, ...rest }: TopUp,
  secret: bigint,
): TransferState {
  const request: QuoteRequest = {
    ...rest,
    ...{ senderAddress, recipientAddress: senderAddress },
    ...{ sourceAssetId: assetId, destinationAssetId: assetId },
    balanceKey: keyOf(secret),
  }
  return askedFor(request)
}

const keyOf = (secret: bigint): string =>
  Array.from(packOwner(ownerOf(secret)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const UNPAID: ReadonlySet<TransferResult['outcome']> = new Set(['not_paid', 'expired'])

/**
 * Begins another deposit with these terms if the earlier deposit has no quote yet, or is proven unpaid. The secret
 * stays the same. So even if the node's proof was false, the first deposit's money isn't lost.
 */
export async function beginAgain(record: BalanceRecord, topUp: TopUp | undefined): Promise<void> {
  const former = record.state.topUp
  const isUnpaid = former?.step === 'done' && UNPAID.has(former.result.outcome)
  if (topUp === undefined || (former?.step !== 'asked' && !isUnpaid)) return
  await record.save({ topUp: depositFor(topUp, secretIn(record.state)) })
}

/**
 * The index of the balance's note in the tree, for a deposit that the transfer reports as paid. This function reads the
 * tree, because the Order account shows an index but not which note has that index. And if the Order account may
 * already be closed, the transfer can't know whether the deposit landed at all.
 * @throws BalanceError NOT_OPENED if the deposit was never made; this result is saved. RecoveryError HISTORY_MISSING if
 *   the node doesn't show enough of the tree; the saved state stays unchanged.
 */
export async function provenIndex(
  context: ChainContext,
  record: BalanceRecord,
  ticket: Ticket,
): Promise<string> {
  const { topUp } = record.state
  if (topUp?.step !== 'deposited') throw new Error('the transfer has not made a deposit')
  const { request, order, leafIndex } = topUp
  const isShown = leafIndex !== null && (await readClock(context.rpc)) < closesAt(order)
  if (isShown) return `${await onPool(context, () => indexOfLanded(context, ticket))}`
  const found = await indexInTree(context, ticket)
  if (found !== undefined) return `${found}`
  const result = { outcome: 'expired', trackingId: order.trackingId, status: null } as const
  await record.save({ topUp: { step: 'done', request, result } })
  throw unpaid(result)
}

export const unpaid = ({ outcome }: TransferResult): BalanceError =>
  new BalanceError(
    'NOT_OPENED',
    `the deposit of this balance ended as ${outcome}, and nothing was paid: pass topUp to make another deposit`,
  )
