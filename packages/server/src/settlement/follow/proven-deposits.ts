import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { ArrivedOrder } from '../../ports/settlement-store.ts'

/**
 * Orders whose leaf is in the tree. `deposited`: their deposit is proven. `undeposited`: they provably have no deposit.
 * An order that isn't in one of the two lists is checked again later.
 */
export interface ProvenDeposits {
  readonly deposited: readonly ArrivedOrder[]
  readonly undeposited: readonly Uint8Array[]
}

interface ProvenDependencies {
  readonly chain: Pick<ChainFollow, 'readDepositIndexes' | 'findDeposit'>
}

/** True for an order whose note lives as long as a balance's note. A transfer's note has a shorter life. */
const mayBeBalance = ({ deadline, expiry }: ArrivedOrder): boolean =>
  expiry - deadline >= BALANCE_SECONDS_MIN

/**
 * Returns the leaf indexes in the Order accounts of these orders. The request also names the accounts of transfers,
 * although their answers aren't used. Otherwise the node would learn which deposits open balances.
 *
 * @throws Error if the request fails and at least one of the orders may open a balance. If all orders are transfers,
 * the answer isn't needed, and the result is empty.
 */
async function readIndexes(
  chain: ProvenDependencies['chain'],
  arrived: readonly ArrivedOrder[],
  slotMin: bigint,
): Promise<readonly (number | undefined)[]> {
  try {
    const orderIds = arrived.map(({ orderId }) => orderId)
    return await chain.readDepositIndexes(orderIds, slotMin)
  } catch (error) {
    if (arrived.some(mayBeBalance)) throw error
    return []
  }
}

/**
 * Distinguishes the deposits of balances from changes that have the same leaf. An owner chooses the key of each change.
 * So the owner can create a change whose leaf equals the leaf of an unpaid order of the same owner. Only a deposit
 * creates an Order account, and that account has the index of the deposit's leaf. A change can't equal the leaf of a
 * transfer's deposit. The change of a balance has the claim of a balance, and the change of a transfer has the value 0.
 */
export async function provenDeposits(
  { chain }: ProvenDependencies,
  arrived: readonly ArrivedOrder[],
  head: FinalizedHead,
  leafAt: (index: number) => bigint | undefined,
): Promise<ProvenDeposits> {
  const deposited = arrived.filter((order) => !mayBeBalance(order))
  const undeposited: Uint8Array[] = []
  if (arrived.length === 0) return { deposited, undeposited }
  const indexes = await readIndexes(chain, arrived, head.slot)
  for (const [place, order] of arrived.entries()) {
    if (!mayBeBalance(order)) continue
    const leafIndex = indexes[place]
    if (leafIndex !== undefined) {
      if (leafAt(leafIndex) === order.leaf) deposited.push({ ...order, leafIndex })
      continue
    }
    const isFound = (await chain.findDeposit(order.orderId)) !== undefined
    // The Order account may already be closed. Then only the history shows the deposit.
    const isClosable = head.unixSeconds > order.deadline + CLOSE_DELAY_SECONDS
    if (isFound && isClosable) deposited.push(order)
    if (!isFound && !isClosable) undeposited.push(order.orderId)
  }
  return { deposited, undeposited }
}
