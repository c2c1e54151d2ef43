import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { ArrivedOrder } from '../../ports/settlement-store.ts'

/** Orders whose leaf is in the tree: those that were deposited, and those of which that is disproved. */
export interface ProvenDeposits {
  readonly deposited: readonly ArrivedOrder[]
  readonly undeposited: readonly Uint8Array[]
}

interface ProvenDependencies {
  readonly chain: Pick<ChainFollow, 'readDepositIndexes' | 'findDeposit'>
}

/** True for an order that lives as long as balances do; a transfer ends sooner. */
const mayBeBalance = ({ deadline, expiry }: ArrivedOrder): boolean =>
  expiry - deadline >= BALANCE_SECONDS_MIN

/**
 * Tells deposits of balances from changes that look like them: an owner chooses the key of each change, and so can make
 * its leaf equal that of another order of the same owner that isn't paid. Only the program makes an Order account, with
 * the index of the deposit's leaf. A transfer's leaf has no such double, because its change has the value 0.
 */
export async function provenDeposits(
  { chain }: ProvenDependencies,
  arrived: readonly ArrivedOrder[],
  head: FinalizedHead,
  leafAt: (index: number) => bigint | undefined,
): Promise<ProvenDeposits> {
  const deposited = arrived.filter((order) => !mayBeBalance(order))
  const undeposited: Uint8Array[] = []
  const asked = arrived.filter(mayBeBalance)
  if (asked.length === 0) return { deposited, undeposited }
  const indexes = await chain.readDepositIndexes(
    asked.map(({ orderId }) => orderId),
    head.slot,
  )
  for (const [place, order] of asked.entries()) {
    const leafIndex = indexes[place]
    if (leafIndex !== undefined) {
      if (leafAt(leafIndex) === order.leaf) deposited.push({ ...order, leafIndex })
      continue
    }
    const isFound = (await chain.findDeposit(order.orderId)) !== undefined
    // Its Order may have been closed since, and then only history shows the deposit.
    const isClosable = head.unixSeconds > order.deadline + CLOSE_DELAY_SECONDS
    if (isFound && isClosable) deposited.push(order)
    if (!isFound && !isClosable) undeposited.push(order.orderId)
  }
  return { deposited, undeposited }
}
