import {
  CLOSE_DELAY_SECONDS,
  decodeNullifier,
  MAX_DELIVERY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  nullifierAddress,
  REFUND_WINDOW_SECONDS,
  SKEW_SECONDS,
  type Address,
} from '@sotto/protocol'
import type { NullifierFacts, SettledNote } from '../../ports/chain-settle.ts'
import { readAccounts, type RawAccount } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

/** From a settlement until its Nullifier may be closed: the sum in `program/src/state/nullifier.rs`. */
const LIFE_SECONDS =
  MAX_DEPOSIT_SECONDS +
  MAX_DELIVERY_SECONDS +
  REFUND_WINDOW_SECONDS +
  SKEW_SECONDS +
  CLOSE_DELAY_SECONDS

/** Each nullifier's account at finality, at a slot that isn't before `slotMin`. */
export async function readNullifiers(
  rpc: ChainRpc,
  program: Address,
  nullifiers: readonly bigint[],
  slotMin: bigint,
): Promise<NullifierFacts> {
  const addresses = await Promise.all(nullifiers.map((one) => nullifierAddress(program, one)))
  const { slot, accounts } = await readAccounts(rpc, addresses, {
    commitment: 'finalized',
    slotMin,
  })
  return { slot, settled: accounts.map((account) => settledNote(program, account)) }
}

function settledNote(program: Address, account: RawAccount | undefined): SettledNote | undefined {
  // Lamports that somebody sent ahead make an account, but not one of the program's.
  if (account?.owner !== program || account.data.length === 0) return undefined
  const { closableAt, rentPayer } = decodeNullifier(account.data)
  return { atSeconds: closableAt - LIFE_SECONDS, rentPayer }
}
