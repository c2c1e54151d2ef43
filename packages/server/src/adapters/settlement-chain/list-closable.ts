import {
  CLOSE_DELAY_SECONDS,
  decodeNullifier,
  decodeOrder,
  NULLIFIER_BYTES,
  ORDER_BYTES,
  type Address,
} from '@sotto/protocol'
import type { Closable } from '../../ports/chain-upkeep.ts'
import { readProgramAccounts } from './program-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

const ORDER = { discriminator: 4, size: ORDER_BYTES }
const NULLIFIER = { discriminator: 5, size: NULLIFIER_BYTES }

/** Orders and Nullifiers past their closing times, whoever paid their rent. */
export async function listClosable(
  rpc: ChainRpc,
  program: Address,
  clock: bigint,
): Promise<Closable[]> {
  const orders = (await readProgramAccounts(rpc, program, ORDER)).map(({ address, data }) => {
    const { deadline, sender } = decodeOrder(data)
    const from = deadline + CLOSE_DELAY_SECONDS
    return { kind: 'order' as const, account: address, rentPayer: sender, from }
  })
  const nullifiers = (await readProgramAccounts(rpc, program, NULLIFIER)).map(
    ({ address, data }) => {
      const { closableAt, rentPayer } = decodeNullifier(data)
      return { kind: 'nullifier' as const, account: address, rentPayer, from: closableAt }
    },
  )
  return [...orders, ...nullifiers].filter(({ from }) => from <= clock)
}
