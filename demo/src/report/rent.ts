import { NATIVE_MINT, NULLIFIER_BYTES, ORDER_BYTES } from '@sotto/protocol'
import { readRentHeld } from '../rent-held.ts'
import type { Stage } from '../stage.ts'

/**
 * Records the rent that accounts of this run still contain. An Order keeps its rent for a day, and a Nullifier for two
 * months. If the chain's time was advanced by two months, no rent is left.
 */
export async function bookRent(stage: Stage): Promise<void> {
  const now = await readRentHeld(stage.chain, stage.program)
  const { rent: before } = stage.before
  for (const [kind, bytes] of [
    ['orders', ORDER_BYTES],
    ['nullifiers', NULLIFIER_BYTES],
  ] as const) {
    const each = await stage.chain.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send()
    for (const owner of stage.ledger.owners()) {
      const more = (now[kind].get(owner) ?? 0) - (before[kind].get(owner) ?? 0)
      const reason = kind === 'orders' ? 'rent of an Order' : 'rent of Nullifiers'
      stage.ledger.expect(owner, NATIVE_MINT, -BigInt(more) * each, reason)
    }
  }
}
