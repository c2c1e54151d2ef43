import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
import { livesLikeBalance } from '../../domain/balance.ts'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { DepositIndex } from '../../ports/read-deposit-indexes.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { ArrivedOrder } from '../../ports/settlement-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cooldown } from '../../running/cooldown.ts'

/**
 * Orders whose leaf is in the tree. `deposited`: their deposit is proven. `undeposited`: they provably have no deposit.
 * An order that isn't in one of the two lists is checked again later.
 */
export interface ProvenDeposits {
  readonly deposited: readonly ArrivedOrder[]
  readonly undeposited: readonly Uint8Array[]
}

export interface ProvenDependencies {
  readonly chain: Pick<ChainFollow, 'readDepositIndexes' | 'findDeposit'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly log: Pick<SettlementLog, 'failed'>
  /** Delays the next check of an order that couldn't be decided. */
  readonly undecided: Cooldown
}

/**
 * Returns the leaf indexes in the Order accounts of these orders. The request also names the accounts of transfers, so
 * that the node doesn't learn which deposits open balances. The answers for transfers aren't used. If the first node
 * shows the index of another leaf, all nodes are asked.
 *
 * @throws Error if the request fails and at least one of the orders may open a balance. If all orders are transfers,
 * the answer isn't needed, and the result is empty.
 */
async function readIndexes(
  chain: ProvenDependencies['chain'],
  arrived: readonly ArrivedOrder[],
  slotMin: bigint,
  leafAt: (index: number) => bigint | undefined,
): Promise<readonly DepositIndex[]> {
  try {
    const orderIds = arrived.map(({ orderId }) => orderId)
    const isOwn = (place: number, index: number) => leafAt(index) === arrived[place]?.leaf
    return await chain.readDepositIndexes(orderIds, slotMin, isOwn)
  } catch (error) {
    if (arrived.some(livesLikeBalance)) throw error
    return []
  }
}

/**
 * Distinguishes the deposits of balances from change notes that have the same leaf. An owner chooses the key of each
 * change. So the owner can create a change whose leaf equals the leaf of an unpaid order of the same owner. Only a
 * deposit creates an Order account, and that account has the index of the deposit's leaf. A change never has the leaf
 * of a transfer's deposit, for two reasons: the change of a balance is never a transfer's note, and the change of a
 * transfer has the value 0.
 *
 * If an order can't be decided, for example because the nodes keep no history, the other orders are still decided. So
 * one order can't stop all workers.
 */
export async function provenDeposits(
  d: ProvenDependencies,
  given: readonly ArrivedOrder[],
  head: FinalizedHead,
  leafAt: (index: number) => bigint | undefined,
): Promise<ProvenDeposits> {
  const nowMs = d.clock.nowMs()
  const arrived = given.filter(
    (order) => !livesLikeBalance(order) || d.undecided.isDue(order.orderId, nowMs),
  )
  const deposited = arrived.filter((order) => !livesLikeBalance(order))
  const undeposited: Uint8Array[] = []
  if (arrived.length === 0) return { deposited, undeposited }
  const indexes = await readIndexes(d.chain, arrived, head.slot, leafAt)
  for (const [place, order] of arrived.entries()) {
    if (!livesLikeBalance(order)) continue
    const found = await findIn(d, order, indexes[place], head)
    const isOwn = typeof found === 'number' && leafAt(found) === order.leaf
    if (isOwn) deposited.push({ ...order, leafIndex: found })
    else if (found === 'missing') undeposited.push(order.orderId)
    else d.undecided.rest(order.orderId, nowMs)
  }
  return { deposited, undeposited }
}

/**
 * Returns the index of the leaf that an order's deposit appended. `missing`: the order provably has no deposit. Returns
 * undefined if the answers don't prove whether there is a deposit.
 *
 * @param shown the index in the order's account.
 */
async function findIn(
  d: ProvenDependencies,
  { orderId, deadline, leafIndex }: ArrivedOrder,
  shown: DepositIndex,
  head: FinalizedHead,
): Promise<number | 'missing' | undefined> {
  if (shown !== undefined) return shown === 'unconfirmed' ? undefined : shown
  // The Order account may already be closed. Then only the history shows the deposit.
  const isClosable = head.unixSeconds >= deadline + CLOSE_DELAY_SECONDS
  try {
    const isFound = (await d.chain.findDeposit(orderId)) !== undefined
    if (isFound === isClosable) return isFound ? leafIndex : 'missing'
  } catch (error) {
    d.log.failed('find_deposit', error)
  }
  return undefined
}
