import { RECENT } from '@sotto/protocol'
import { quickHash } from '../chain/quick-hash.ts'
import type { Transaction } from '../chain/transaction.ts'
import type { Stage } from './stage.ts'

/** A flood has enough leaves to overwrite the whole ring, and fewer than this many additional leaves. */
const MORE = 100

/**
 * An attacker who sees a broadcast settlement pays for many deposits at once. These deposits may overwrite the
 * settlement's root in the ring before the settlement lands.
 */
export function floodOnSettlement(stage: Stage, { message }: Transaction): void {
  const { chain, faults, parties, signatures } = stage
  if (message.kind !== 'settle' || !faults.fires('leaf_flood', 'attacker')) return
  const first = faults.random.below(2 ** 31)
  const count = RECENT + faults.random.below(MORE)
  const leaves = Array.from({ length: count }, (_, index) => quickHash([BigInt(first + index)]))
  const flood = { kind: 'flood', leaves } as const
  chain.mempool.add(signatures.sign(parties.attacker, flood, chain.blockAt('confirmed')))
}
