import type { Address } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { RelayerBalances } from '../../ports/relayer-balances.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'
import { SharedAnswer, SharedAnswers } from '../../running/shared-answer.ts'

/** Maximum age of a shared head, in milliseconds. It is shorter than two pauses of a loop. */
const HEAD_MS = 500
/**
 * Maximum age of shared balances and of a shared clock, in milliseconds. A difference of a second changes no decision
 * that uses a shared clock.
 */
const OTHERS_MS = 1_000
/** Maximum number of different lists of relayers in one process. */
const LISTS_MAX = 4

/** Two views of one chain that share answers. */
export interface SharedReads {
  /** The view for paying orders. It uses shared answers. */
  readonly chain: SettlementChain
  /** The view for following the tree. It always reads the head from a node. Afterwards `chain` uses that head too. */
  readonly fresh: SettlementChain
}

/**
 * Creates two views of one chain that share answers. Orders that are paid at the same time share the answers that don't
 * depend on the order: the head, the clock and the relayers' balances. Fewer requests leave more processor time for the
 * prover, and fewer requests can fail. A shared answer is at most a second old, and a difference of a second changes no
 * decision that uses it. A read that must be at the head's slot or later isn't shared.
 */
export function shareReads(chain: SettlementChain, clock: Pick<Clock, 'nowMs'>): SharedReads {
  const head = new SharedAnswer(() => chain.readHead(), clock)
  const time = new SharedAnswer(() => chain.readClock(), clock)
  const balances = new SharedAnswers<RelayerBalances>(clock, LISTS_MAX)
  const balancesOf = (wallets: readonly Address[]) =>
    balances.of(wallets.join(), () => chain.readBalances(wallets))
  // The other methods are inherited. A copy would lack the methods that the given chain itself inherits.
  const withReads = (reads: Partial<SettlementChain>) =>
    Object.assign(Object.create(chain) as SettlementChain, reads)
  return {
    fresh: withReads({ readHead: async () => head.read(0) }),
    chain: withReads({
      readHead: async () => head.read(HEAD_MS, HEAD_MS),
      readClock: async () => time.read(OTHERS_MS, OTHERS_MS),
      readBalances: async (wallets) => balancesOf(wallets).read(OTHERS_MS, OTHERS_MS),
    }),
  }
}
