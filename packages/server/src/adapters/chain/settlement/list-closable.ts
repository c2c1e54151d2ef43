import {
  CLOSE_DELAY_SECONDS,
  NULLIFIER_BYTES,
  ORDER_BYTES,
  shownNullifier,
  shownOrder,
  type Address,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Closable } from '../../../ports/settlement-chain.ts'
import { readProgramAccounts } from './program-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

const ORDER = { discriminator: 4, size: ORDER_BYTES }
const NULLIFIER = { discriminator: 5, size: NULLIFIER_BYTES }

/** Lists the Order and Nullifier accounts whose closing time has passed, no matter who paid their rent. */
export async function listClosable(
  rpc: ChainRpc,
  program: Address,
  clock: UnixSeconds,
): Promise<Closable[]> {
  const orders = (await readProgramAccounts(rpc, program, ORDER)).flatMap((account) => {
    const order = shownOrder(program, account)
    if (order === undefined) return []
    const from = order.deadline + CLOSE_DELAY_SECONDS
    return [{ kind: 'order' as const, account: account.address, rentPayer: order.sender, from }]
  })
  const nullifiers = (await readProgramAccounts(rpc, program, NULLIFIER)).flatMap((account) => {
    const nullifier = shownNullifier(program, account)
    if (nullifier === undefined) return []
    const { rentPayer, closableAt: from } = nullifier
    return [{ kind: 'nullifier' as const, account: account.address, rentPayer, from }]
  })
  return [...orders, ...nullifiers].filter(({ from }) => from <= clock)
}
