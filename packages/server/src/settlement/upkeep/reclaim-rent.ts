import {
  CLOSE_COMPUTE_UNITS,
  CLOSINGS_MAX,
  LAMPORTS_PER_SIGNATURE,
  priorityLamports,
  unitPriceOf,
  walletMinimum,
} from '@sotto/protocol'
import type { ChainPay, ChainUpkeep, Closable } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { Random } from '../../ports/random.ts'
import type { Signer } from '../../ports/signer.ts'
import type { PriceLimits } from '../pay/offered-price.ts'

/**
 * Once no closable account is left, accounts are listed again only in the next interval of this length. A listing is
 * expensive for a node, and returning rent isn't urgent.
 */
const EVERY_SECONDS = 3_600n
/**
 * Pause after closings. When the pause ends, the closings are finalized, so no account is closed twice. Some closings
 * may not land, especially while the cluster is busy, so each further pause in the same hour is twice as long.
 */
const FINALITY_MS = 20_000
/** Pause after a round in which no account could be closed. It is the longest pause. */
const FAILED_MS = 300_000

interface ReclaimDependencies {
  readonly chain: Pick<ChainUpkeep, 'listClosable' | 'close'> & Pick<ChainPay, 'readBalances'>
  readonly store: Pick<FollowStore, 'readCursor'>
  readonly prices: Pick<PriceLimits, 'floor'>
  readonly relayers: readonly Signer[]
  readonly random: Random
  readonly clock: Clock
}

/**
 * Returns rent to the wallet that paid it. The rent of an Order account goes to the sender. The rent of a Nullifier
 * account goes to our relayer, or to the person who settled the note with its ticket. When an account is created, the
 * time from which anyone may close it is fixed. So closing reveals nothing.
 *
 * Closings aren't urgent, so they offer the lowest price, even while other transactions offer a higher price. An
 * account whose closing doesn't land is closed later. The payer of an account may have made its closing impossible, so
 * one failed closing doesn't stop the others: a transaction that is refused is tried again as two halves. Returns the
 * number of closed accounts.
 *
 * @throws Error if there are accounts to close, but none of them could be closed.
 */
export async function reclaimRent(d: ReclaimDependencies): Promise<number> {
  const closable = await d.chain.listClosable()
  if (closable.length === 0) return 0
  const unitPrice = unitPriceOf(d.prices.floor)
  const funded = await fundedRelayers(d, unitPrice)
  let closed = 0
  let failure: Error | undefined
  const close = async (some: readonly Closable[]): Promise<void> => {
    const relayer = funded[d.random.below(funded.length)]
    if (relayer === undefined) return
    try {
      await d.chain.close(relayer, some, unitPrice)
      closed += some.length
    } catch (error) {
      failure = error as Error
      if (some.length === 1) return
      const middle = Math.ceil(some.length / 2)
      await close(some.slice(0, middle))
      await close(some.slice(middle))
    }
  }
  for (const kind of ['order', 'nullifier'] as const) {
    const ofKind = closable.filter((one) => one.kind === kind)
    for (let start = 0; start < ofKind.length; start += CLOSINGS_MAX) {
      await close(ofKind.slice(start, start + CLOSINGS_MAX))
    }
  }
  if (closed === 0 && failure !== undefined) throw failure
  return closed
}

/**
 * The relayers that can pay for a transaction that closes accounts. A relayer that has less than a settlement needs may
 * still close accounts, because the rent may return to this relayer.
 *
 * @throws Error if there is none.
 */
async function fundedRelayers(
  { chain, relayers }: Pick<ReclaimDependencies, 'chain' | 'relayers'>,
  unitPrice: bigint,
): Promise<Signer[]> {
  const wallets = relayers.map(({ address }) => address)
  const { balances, lamportsPerByte } = await chain.readBalances(wallets)
  const fee = LAMPORTS_PER_SIGNATURE + priorityLamports(unitPrice, BigInt(CLOSE_COMPUTE_UNITS))
  const least = walletMinimum(lamportsPerByte) + fee
  const funded = relayers.filter((_, place) => (balances[place] ?? 0n) >= least)
  if (funded.length === 0) throw new Error('no relayer can pay for closing accounts')
  return funded
}

/**
 * Creates a step that reclaims rent once in each hour of the chain's clock. Within the hour, the step tries again after
 * each pause, until no account is left to close.
 */
export function reclaimHourly(d: ReclaimDependencies): () => Promise<void> {
  let doneHour: bigint | undefined
  let triedHour: bigint | undefined
  let restUntilMs = 0
  let pauseMs = FINALITY_MS
  return async () => {
    const hour = (await d.store.readCursor()).unixSeconds / EVERY_SECONDS
    if (hour === doneHour || (hour === triedHour && d.clock.nowMs() < restUntilMs)) return
    if (hour !== triedHour) pauseMs = FINALITY_MS
    triedHour = hour
    restUntilMs = d.clock.nowMs() + FAILED_MS
    if ((await reclaimRent(d)) === 0) doneHour = hour
    else restUntilMs = d.clock.nowMs() + pauseMs
    pauseMs = Math.min(2 * pauseMs, FAILED_MS)
  }
}
