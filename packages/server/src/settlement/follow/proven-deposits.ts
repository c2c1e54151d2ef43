import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { ArrivedOrder } from '../../ports/settlement-store.ts'

/**
 * Orders whose leaf is in the tree, in two groups: orders whose deposit is proven, and orders that provably have no
 * deposit.
 */
export interface ProvenDeposits {
  readonly deposited: readonly ArrivedOrder[]
  readonly undeposited: readonly Uint8Array[]
}

interface ProvenDependencies {
  readonly chain: Pick<ChainFollow, 'readDepositIndexes' | 'findDeposit'>
}

/** True for an order whose note lives as long as a balance's. The life of a transfer's note is shorter. */
const mayBeBalance = ({ deadline, expiry }: ArrivedOrder): boolean =>
  expiry - deadline >= BALANCE_SECONDS_MIN

/**
 * The leaf indexes in the Order accounts of these orders. The request names the accounts of transfers too, although
 * their answers aren't used. Otherwise the node would learn which deposits open balances.
 *
 * @throws Error if the request fails and one of the orders may open a balance. A transfer doesn't wait for the answer.
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
 * Distinguishes deposits of balances from changes that have the same leaf. An owner chooses the key of each change. So
 * the owner can create a change whose leaf equals that of another unpaid order of the same owner. Only a deposit
 * creates an Order account, and that account holds the index of the deposit's leaf. The leaf of a transfer's deposit
 * equals no change: a change has the claim of the note that it came from, and the change of a transfer's note has the
 * value 0.
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
    // The order's Order account may have been closed; then only history shows the deposit.
    const isClosable = head.unixSeconds > order.deadline + CLOSE_DELAY_SECONDS
    if (isFound && isClosable) deposited.push(order)
    if (!isFound && !isClosable) undeposited.push(order.orderId)
  }
  return { deposited, undeposited }
}
