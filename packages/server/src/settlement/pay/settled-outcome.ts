import type { UnixSeconds } from '@sotto/protocol'
import type { SettlementOutcome } from '../../domain/order-secrets.ts'
import type {
  ChainPay,
  FinalizedHead,
  FoundSettlement,
  SettledNote,
} from '../../ports/settlement-chain.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import { isEqual, isProven } from './end-payment.ts'
import { HISTORY_SECONDS } from '../notes/evidence-times.ts'
import { liveAttemptOf } from './journal.ts'
import { isBalance, missedCrowd, nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import type { ProvenDependencies } from '../notes/proven-settlement.ts'
import { recountLeaves } from './recount-leaves.ts'
import {
  isCorroborated,
  isFollowedTo,
  recordedTime,
  type EvidenceDependencies,
} from '../notes/settlement-evidence.ts'

interface OutcomeDependencies extends Omit<EvidenceDependencies, 'tree'>, ProvenDependencies {
  readonly store: EvidenceDependencies['store'] &
    Pick<SettlementStore, 'readExplained' | 'forgetExplained'>
  readonly chain: ChainPay
  readonly log: SettlementLog
}

/**
 * Returns a note's outcome, from its Nullifier and the tree. A single node's answer isn't enough to end an order, so
 * the tree must confirm the Nullifier. A delivery lands at the expiry or earlier, and a refund only later. So the
 * Nullifier's time shows whether the settlement was a delivery or a refund (invariant I5), and the note determines the
 * amount. The transaction history adds the signature and the slot. If no node has the transaction any more, the order
 * ends without them.
 *
 * Returns undefined while the evidence isn't enough: while the tree doesn't confirm the Nullifier or isn't followed up
 * to the settlement, while another node shows no Nullifier (unless the proof has been valid for `HISTORY_SECONDS`), or
 * while the transaction may still appear in the history.
 */
export async function settledOutcome(
  d: OutcomeDependencies,
  opened: OpenedOrder,
  settled: SettledNote,
  head: FinalizedHead,
): Promise<SettlementOutcome | undefined> {
  const { note } = opened
  const isRefund = settled.atSeconds > note.expiry
  const found = await findTransaction(d, opened, isRefund, settled)
  const isEnough = await isCorroborated(d, opened, { isRefund, settled, found })
  if (found === undefined && head.unixSeconds < settled.atSeconds + HISTORY_SECONDS)
    return undefined
  if (found === undefined) d.log.alert('history_missing', nameOf(opened))
  if (!isEnough && found !== undefined) await recountLeaves(d, opened, found)
  if (!isEnough || !(await isFollowedTo(d, settled.atSeconds, found))) return undefined
  if (settled.isContradicted === true && !(await isLongProven(d, opened, found))) return undefined
  // The outcome depends on the Nullifier's time. If only one of several nodes shows that time, a transaction must
  // confirm it.
  if (found === undefined && settled.isAlone === true) return undefined
  if (
    !isRefund &&
    opened.order.status === 'refunding' &&
    !(await isSure(d, opened, settled, found))
  ) {
    d.log.alert('outcome_contradicts_status', nameOf(opened))
    return undefined
  }
  const facts = {
    signature: found?.signature ?? ownSignature(d.log, opened, settled, isRefund),
    slot: found?.slot,
    // The program wrote the Nullifier's time. The block time of `found` comes from one node, which could invent it.
    unixSeconds: await recordedTime(d, settled.atSeconds),
  }
  return outcomeOf(opened, isRefund, facts)
}

/**
 * True if a settlement's proof is valid, and one node has shown the settlement for `HISTORY_SECONDS` while another node
 * showed no Nullifier. If the other node only lagged, it would soon show the Nullifier too. The proof isn't accepted
 * earlier, because a ticket's holder can prove a settlement that never landed.
 */
async function isLongProven(
  d: OutcomeDependencies,
  opened: OpenedOrder,
  found: FoundSettlement | undefined,
): Promise<boolean> {
  // No single node can move the followed clock ahead, so this clock is used here.
  const { unixSeconds } = await d.store.readCursor()
  const first = d.firstReadings.first(opened.order.orderId, unixSeconds)
  if (unixSeconds < first + HISTORY_SECONDS) return false
  if (found !== undefined && (await isProven(d, opened, found))) return true
  d.log.alert('nodes_disagree', nameOf(opened))
  return false
}

/**
 * True if it is certain that an order was delivered although its refund has begun. The refund began because nodes
 * showed no Nullifier. The refund may have landed since then, and it appends the same leaf as the delivery. So a single
 * node's answer isn't enough. Two nodes must show the Nullifier, or the delivery's proof must be valid.
 */
async function isSure(
  d: OutcomeDependencies,
  opened: OpenedOrder,
  { isAlone }: SettledNote,
  found: FoundSettlement | undefined,
): Promise<boolean> {
  if (d.chain.findSettlements !== undefined && isAlone !== true) return true
  return found !== undefined && (await isProven(d, opened, found))
}

type Facts = Pick<SettlementOutcome, 'signature' | 'slot' | 'unixSeconds'>

/** A delivery pays `amountOut` to the payee. A refund pays the whole value to the sender. */
function outcomeOf(opened: OpenedOrder, isRefund: boolean, facts: Facts): SettlementOutcome {
  const { order, note, plan } = opened
  const paid = { ...facts, assetId: note.mint }
  // The order of a balance must not show the owner's payees and amounts.
  const amountOut = isBalance(opened) ? undefined : order.amountOut
  if (!isRefund) return { ...paid, kind: 'delivery', amount: amountOut }
  const other = isBalance(opened) ? 'balance_ended' : 'not_delivered_in_time'
  const reason = plan.reason ?? missedCrowd(opened) ?? other
  return { ...paid, kind: 'refund', amount: note.value, reason }
}

/**
 * Returns a note's outcome from its transaction alone. Used for a note whose Nullifier account may already be closed.
 */
export async function outcomeOfHistory(
  d: Pick<OutcomeDependencies, 'store'>,
  opened: OpenedOrder,
  found: FoundSettlement,
): Promise<SettlementOutcome> {
  const { signature, slot } = found
  const unixSeconds = await recordedTime(d, found.unixSeconds)
  return outcomeOf(opened, found.isRefund, { signature, slot, unixSeconds })
}

/**
 * Returns the note's transaction from the history. A transaction that contradicts the Nullifier is ignored. If a node
 * hides the Nullifier, it may hide the transaction too. Then the other nodes are asked, and all answers must show the
 * same transaction.
 */
async function findTransaction(
  d: OutcomeDependencies,
  { nullifier }: OpenedOrder,
  isRefund: boolean,
  { atSeconds, isContradicted }: SettledNote,
): Promise<FoundSettlement | undefined> {
  try {
    const shown = await d.chain.findSettlement(nullifier, atSeconds)
    const isHidden = shown === undefined && isContradicted === true
    const found = isHidden ? await shownByOthers(d, nullifier, atSeconds) : shown
    return found?.isRefund === isRefund ? found : undefined
  } catch (error) {
    d.log.failed('find_settlement', error)
    return undefined
  }
}

/**
 * Returns the transaction that nodes show. Returns undefined if no node shows a transaction, or if nodes show different
 * transactions.
 */
async function shownByOthers(
  { chain }: Pick<OutcomeDependencies, 'chain'>,
  nullifier: bigint,
  atSeconds: UnixSeconds,
): Promise<FoundSettlement | undefined> {
  const said = (await chain.findSettlements?.(nullifier, atSeconds)) ?? []
  const [first] = said
  return first !== undefined && said.every((one) => isEqual(one, first)) ? first : undefined
}

/**
 * Returns the signature of our live attempt, if the attempt's relayer paid for the Nullifier. Relayers sign only
 * journalled transactions, so this attempt must have landed.
 */
function ownSignature(
  log: SettlementLog,
  opened: OpenedOrder,
  settled: SettledNote,
  isRefund: boolean,
): string | undefined {
  const { attempt } = opened.order
  if (attempt === undefined || (attempt.kind === 'refund') !== isRefund) return undefined
  const own = liveAttemptOf(log, opened)
  return own?.relayer === settled.rentPayer ? own.signature : undefined
}
