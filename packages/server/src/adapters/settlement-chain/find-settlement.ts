import {
  decodeSettle,
  instructionsOf,
  nullifierAddress,
  type Address,
  type Settlement,
  type TransactionRecord,
} from '@sotto/protocol'
import type { FoundSettlement } from '../../ports/chain-settle.ts'
import { listSignatures } from './list-signatures.ts'
import { paidFrom } from './paid-from.ts'
import { readTransaction } from './read-transaction.ts'
import type { ChainRpc } from './rpc-client.ts'

/** Where a settle instruction names the vault. */
const VAULT_POSITION = 4

/** The finalized transaction that settled a nullifier, whoever sent it. */
export async function findSettlement(
  rpc: ChainRpc,
  program: Address,
  nullifier: bigint,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  // Oldest first: whatever else names the account came after it existed.
  for (const listed of await listSignatures(rpc, account, {})) {
    if (listed.hasFailed) continue
    const { signature, slot, unixSeconds } = listed
    const record = await readTransaction(rpc, signature)
    const found = settlementsIn(program, record)
    const ours = found.find(({ settlement }) => settlement.nullifier === nullifier)
    if (ours === undefined) continue
    const { settlement, vault } = ours
    const promised = settlement.amount + settlement.feeBack
    return {
      isRefund: settlement.isRefund,
      signature,
      slot,
      unixSeconds,
      // With several settlements in one transaction, what left the vault isn't this one's alone.
      amount: found.length === 1 ? (paidFrom(vault, record) ?? promised) : promised,
    }
  }
  return undefined
}

function settlementsIn(
  program: Address,
  record: TransactionRecord,
): { readonly settlement: Settlement; readonly vault: Address }[] {
  return instructionsOf(record).flatMap(({ program: called, data, accounts }) => {
    const settlement = called === program ? decodeSettle(data) : undefined
    const vault = accounts[VAULT_POSITION]
    return settlement === undefined || vault === undefined ? [] : [{ settlement, vault }]
  })
}
