import {
  addressBytes,
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
const RENT_PAYER_OFFSET = 16n

/** Orders past their closing time, and Nullifiers past theirs whose rent these wallets paid. */
export async function listClosable(
  rpc: ChainRpc,
  program: Address,
  rentPayers: readonly Address[],
  clock: bigint,
): Promise<Closable[]> {
  const orders = (await readProgramAccounts(rpc, program, ORDER)).map(({ address, data }) => {
    const { deadline, sender } = decodeOrder(data)
    return { account: address, rentPayer: sender, from: deadline + CLOSE_DELAY_SECONDS }
  })
  const closable: Closable[] = orders
    .filter(({ from }) => from <= clock)
    .map(({ account, rentPayer }) => ({ kind: 'order', account, rentPayer }))
  for (const rentPayer of rentPayers) {
    const having = { offset: RENT_PAYER_OFFSET, bytes: addressBytes(rentPayer) }
    for (const { address, data } of await readProgramAccounts(rpc, program, NULLIFIER, having)) {
      if (decodeNullifier(data).closableAt > clock) continue
      closable.push({ kind: 'nullifier', account: address, rentPayer })
    }
  }
  return closable
}
