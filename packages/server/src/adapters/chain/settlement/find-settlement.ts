import { balanceChange, nullifierAddress, settlementsOf, type Address } from '@sotto/protocol'
import type { FoundSettlement } from '../../../ports/settlement-chain.ts'
import { listSignatures } from './list-signatures.ts'
import { readTransaction } from './read-transaction.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** The finalized transaction that settled a nullifier, from any sender. */
export async function findSettlement(
  rpc: ChainRpc,
  program: Address,
  nullifier: bigint,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  // Oldest first, because other transactions that name the account came after its creation.
  for (const listed of await listSignatures(rpc, account, {})) {
    if (listed.hasFailed) continue
    const { signature, slot, unixSeconds } = listed
    const record = await readTransaction(rpc, signature)
    const found = settlementsOf(program, record)
    const ours = found.find((settlement) => settlement.nullifier === nullifier)
    if (ours === undefined) continue
    const promised = ours.amount + ours.feeBack
    const taken = balanceChange(ours.vault, record)
    return {
      isRefund: ours.isRefund,
      signature,
      slot,
      unixSeconds,
      // With several settlements in one transaction, the vault's change is the sum of all of them.
      amount: found.length === 1 && taken !== undefined ? -taken : promised,
    }
  }
  return undefined
}
