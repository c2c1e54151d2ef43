import type { DataSlice, ShownAccount } from '@sotto/protocol'
import { getBase64Encoder, type Address, type Rpc, type SolanaRpcApi } from '@solana/kit'

/** An account as a node returned it, and the slot at which the node read it. */
export interface AccountAtSlot {
  readonly slot: bigint
  readonly account: ShownAccount | undefined
  /** True for a program. */
  readonly isExecutable: boolean
}

/** Reads an account, or a part of it, at `confirmed`. */
export async function readAtSlot(
  rpc: Rpc<SolanaRpcApi>,
  account: Address,
  dataSlice?: DataSlice,
): Promise<AccountAtSlot> {
  const part = dataSlice === undefined ? {} : { dataSlice }
  const { context, value } = await rpc
    .getAccountInfo(account, { encoding: 'base64', commitment: 'confirmed', ...part })
    .send()
  if (value === null) return { slot: context.slot, account: undefined, isExecutable: false }
  const shown = { owner: value.owner, data: getBase64Encoder().encode(value.data[0]) }
  return { slot: context.slot, account: shown, isExecutable: value.executable }
}
