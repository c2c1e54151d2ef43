import type { Address, MerkleTree, Poseidon } from '@sotto/protocol'
import { setMaxListeners } from 'node:events'
import type { Clock } from '../ports/clock.ts'
import { lawOf } from '../domain/delivery-schedule.ts'
import type { UsualDelay } from '../domain/observed-deposits.ts'
import type { WorkHint } from '../domain/work-hint.ts'
import type { ProofVerifier } from '../ports/proof-verifier.ts'
import type { Prover } from '../ports/prover.ts'
import type { PublishedLeaves } from '../ports/published-leaves.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { SettlementChain } from '../ports/settlement-chain.ts'
import type { SettlementGauges } from '../ports/settlement-gauges.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { SettlementStore } from '../ports/settlement-store.ts'
import type { Signer } from '../ports/signer.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { TreeKeeper } from '../ports/tree-keeper.ts'
import { confirmOrders } from './pay/confirm.ts'
import { FirstReadings } from './notes/first-readings.ts'
import { drawPlans } from './pay/draw-plans.ts'
import { CheckpointRoots } from './follow/checkpoint-roots.ts'
import { Crowds } from './pay/crowds.ts'
import { followChain } from './follow/follow-chain.ts'
import type { FollowDependencies } from './follow/follow-dependencies.ts'
import { storedLeavesComparer } from './follow/compare-stored-leaves.ts'
import { DepositLocator } from './follow/locate-deposits.ts'
import { Attention } from '../running/attention.ts'
import { runLoop, type Loop, type StartLoop } from '../running/loop.ts'
import { NoteOpener } from './notes/open-note.ts'
import { Cooldown } from '../running/cooldown.ts'
import { KeptProofs } from './pay/kept-proofs.ts'
import { ProofQueue } from './pay/proof-queue.ts'
import { reclaimHourly } from './upkeep/reclaim-rent.ts'
import type { PriceLimits } from './pay/offered-price.ts'
import { payLoops } from './pay/pay-loops.ts'
import { payDueOrders } from './pay/schedule.ts'
import { shareReads } from './pay/share-reads.ts'
import { throttleAlerts } from '../running/throttle-alerts.ts'
import { AttemptAges } from './pay/attempt-ages.ts'
import { VerifiedTree } from './follow/verified-tree.ts'
import { TreeWitness } from './follow/tree-witness.ts'
import { depositWatcher } from './follow/watch-deposits.ts'
import { onceFollowed, upkeepLoops } from './upkeep/upkeep-loops.ts'
import { retireProvers, watchRelayers } from './upkeep/watch-relayers.ts'
import { WorkPool } from '../running/work-pool.ts'

/**
 * First and longest pause of an order whose step failed or had to wait for nodes. Each further such step doubles the
 * pause.
 */
const RETRY_MS = 3_000
const RETRY_MAX_MS = 60_000
/**
 * First and longest pause between two searches for a note's settlement. The service searches for it once the note's
 * refund window has passed.
 */
const UNCLAIMED_MS = 60_000
const UNCLAIMED_MAX_MS = 6 * 3_600_000
/**
 * First and longest pause between two checks of an order that may open a balance. A check finds out whether the order
 * has a deposit.
 */
const UNDECIDED_MS = 5_000
const UNDECIDED_MAX_MS = 600_000
/** Pause before the service sends a live attempt again. The leader of the cluster changes every 1.6 seconds. */
const BROADCAST_MS = 2_000

/** Interval at which the service checks the chain's clock for a new hour. Each check is one small query. */
const RECLAIM_LOOK_MS = 1_000

/** Maximum number of listeners on one abort signal. The number of loops below is smaller. */
const LOOPS_MAX = 32

export interface SettlementSettings {
  /** The name of this worker in leases, unique among the processes on one database. */
  readonly workerId: string
  /** Polling interval for the chain and for due orders. */
  readonly pollMs: number
  /**
   * Polling interval for the chain after a minute without a wake-up and without a new leaf, and for due orders while no
   * order is open. The default is `pollMs`.
   */
  readonly idlePollMs?: number
  /** Polling interval for settlements that were made without this service. */
  readonly sweepMs: number
  /** Pause between two rounds of upkeep, such as reconciliation and key destruction. */
  readonly upkeepMs: number
  /**
   * The time for which an order stays claimed after its worker was killed. A running worker renews its leases, so this
   * time may be shorter than a proof takes. It must be longer than any pause of the event loop or the database.
   */
  readonly leaseMs: number
  /**
   * Maximum number of orders that are paid at the same time, and of orders that are confirmed at the same time. It
   * should be several times the number of prover processes. With a smaller number, a prover would idle while an order
   * waits for a node's answer.
   */
  readonly concurrency: number
  /** Number of prover processes. */
  readonly provers: number
  /** Number of proofs that each prover process makes at the same time. */
  readonly proofsAtOnce: number
  /** The service's default delays. All delays are drawn from the distribution that these default delays determine. */
  readonly usualDelay: UsualDelay
  /** Time for which an epoch's key is kept after the last order of the epoch became final. */
  readonly retentionMs: number
  /** The limits of the compute unit price that transactions offer. */
  readonly prices: PriceLimits
  /**
   * An unpaid order expires only if the wall clock is also this many seconds past the end of its last authorisation. A
   * refund begins only if the wall clock is also this many seconds past the note's expiry. So a node's false answer
   * can't end an order early. For delays, the wall clock counts as at most this many seconds ahead of the chain's
   * clock. Undefined on a local chain, because its time can be advanced.
   */
  readonly clockMarginSeconds: bigint | undefined
}

export interface SettlementDependencies {
  readonly chain: SettlementChain
  readonly store: SettlementStore
  readonly prover: Prover
  /**
   * Checks proofs of settlements that others made. Without a verifier, such a settlement takes longer to confirm, and
   * its leaf stays unexplained.
   */
  readonly verifier?: ProofVerifier | undefined
  readonly secrets: Secrets
  readonly relayers: readonly Signer[]
  readonly clock: Clock
  readonly random: Random
  readonly poseidon: Poseidon
  readonly log: SettlementLog
  readonly gauges?: SettlementGauges
  readonly tracing?: Tracing
  /** The tree of the leaves in the store. Without this tree, settlement reads and hashes the leaves when it starts. */
  readonly tree?: MerkleTree
  /** Keeps the tree for the next start. */
  readonly treeKeeper?: TreeKeeper | undefined
  readonly pool: { readonly program: Address; readonly domain: Uint8Array }
  /** Sources of leaves that the chain's ring has dropped. If there are none, settlement reads the chain's history. */
  readonly published?: readonly PublishedLeaves[]
  readonly settings: SettlementSettings
}

export interface RunningSettlement {
  /**
   * Wakes the loops that find the hinted work. Without a hint, wakes the loops that follow the chain, watch for
   * deposits and pay orders.
   */
  readonly wake: (hint?: WorkHint) => void
  /** Stops all loops. Resolves when every step in progress has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Runs settlement until it is stopped. Its loops follow the chain, pay due orders, confirm attempts, reclaim rent,
 * reconcile the books and destroy old keys. The loops share the database, the tree and some state in memory, and may
 * wake each other. If a step fails, its loop logs the failure and repeats the step. So no failure ends the process.
 */
export function startSettlement(d: SettlementDependencies): RunningSettlement {
  const { clock, settings } = d
  const stopping = new AbortController()
  const { signal } = stopping
  // Each loop adds a listener. By default, Node warns if a signal has more than ten.
  setMaxListeners(LOOPS_MAX, signal)
  const tree = new VerifiedTree(d.poseidon, d.tree)
  const log = throttleAlerts(d.log, clock)
  const locator = new DepositLocator({ ...d, log })
  const deposited = (orderIds: readonly Uint8Array[]) => locator.add(orderIds)
  const witness = witnessOf({ ...d, tree })
  const delayLaw = lawOf(settings.usualDelay)
  const published = d.published ?? []
  const shared = { ...d, ...settings, ...cooldowns(), delayLaw, log, witness, published, deposited }
  const opener = new NoteOpener(shared)
  const proofQueue = new ProofQueue(clock, settings.provers, settings.proofsAtOnce)
  const memory = { proofs: new KeptProofs(), proofQueue, ...readings() }
  const [workPool, confirmPool, sweepPool, searches] = workPools(settings)
  const checkpoints = new CheckpointRoots({ ...shared, tree })
  const { chain, fresh } = shareReads(d.chain, clock)
  const crowds = new Crowds(shared)
  const pools = { workPool, searches }
  const kept = { tree, crowds, chain, opener, checkpoints, ...pools, ...memory }
  const settle = { ...shared, ...settings, ...kept }
  const loop: StartLoop = (name, everyMs, step) =>
    runLoop({ name, everyMs, clock, log, signal }, step)
  const attention = attentionOf(clock, settings)
  const { pay, confirm } = payLoops({ clock, ...settings, idleMs: attention.idleMs }, loop, {
    pay: (scope) => payDueOrders(settle, signal, scope),
    confirm: () => confirmOrders(settle, 'attempts', confirmPool),
  })
  const step = followStep({ ...shared, chain: fresh, attention }, tree)
  const follow = loop('follow', attention.pauseMs, async () => {
    if (await step()) pay.wake()
  })
  // The watch loop is separate, so that users see a detected deposit even while the follow loop is slow or fails.
  const see = depositWatcher({ ...d, size: () => tree.size })
  const watch = loop('watch', attention.pauseMs, async () => {
    await see()
    await locator.locate()
  })
  const reclaim = reclaimHourly(shared)
  const loops = [
    follow,
    watch,
    pay,
    confirm,
    loop('sweep', settings.sweepMs, async () => {
      await drawPlans(settle)
      await confirmOrders(settle, 'all', sweepPool)
    }),
    loop('reclaim', RECLAIM_LOOK_MS, onceFollowed(tree, reclaim)),
    loop(
      'relayers',
      settings.sweepMs,
      onceFollowed(tree, () => watchRelayers(settle)),
    ),
    ...upkeepLoops({ ...settle, chain: d.chain }, settings.upkeepMs, loop),
  ]
  return {
    wake: (hint) => attention.recordWork(...wokenBy(hint, { follow, watch, pay })),
    stop: async () => {
      stopping.abort()
      await Promise.all(loops.map(({ done }) => done))
      await Promise.all([workPool, confirmPool, sweepPool, searches].map((pool) => pool.idle()))
      await retireProvers(settle)
    },
  }
}

/**
 * Returns the loops that a hint wakes. A payment causes two hints, `leaf` for its note and `payment` for its signature.
 * Each of them wakes only the loop that has work. After a new deposit, the follow loop wakes the loop `pay`.
 */
function wokenBy(
  hint: WorkHint | undefined,
  { follow, watch, pay }: Readonly<Record<'follow' | 'watch' | 'pay', Loop>>,
): readonly Loop[] {
  if (hint === 'payment') return [pay]
  if (hint === 'leaf') return [follow]
  return hint === 'deposit' ? [follow, watch] : [follow, watch, pay]
}

/** Only one caller at a time may wait for a place in a pool. So each loop that starts work has its own pool. */
const workPools = ({ concurrency }: Pick<SettlementSettings, 'concurrency'>) => {
  const pool = () => new WorkPool(concurrency)
  return [pool(), pool(), pool(), pool()] as const
}

const attentionOf = (
  clock: Clock,
  { pollMs, idlePollMs = pollMs }: Pick<SettlementSettings, 'pollMs' | 'idlePollMs'>,
) => new Attention(clock, { busyMs: pollMs, idleMs: idlePollMs })

const readings = () => ({ firstReadings: new FirstReadings(), attemptAges: new AttemptAges() })

const cooldowns = () => ({
  retries: new Cooldown(RETRY_MS, RETRY_MAX_MS),
  unclaimed: new Cooldown(UNCLAIMED_MS, UNCLAIMED_MAX_MS),
  broadcasts: new Cooldown(BROADCAST_MS),
  undecided: new Cooldown(UNDECIDED_MS, UNDECIDED_MAX_MS),
})

const witnessOf = ({
  chain: { readHeads },
  ...d
}: Pick<SettlementDependencies, 'chain' | 'clock' | 'poseidon'> & { tree: VerifiedTree }) =>
  readHeads && new TreeWitness(readHeads, d)

/**
 * Creates a step along the chain. The step also compares the tree with the leaves that other workers have stored, and
 * returns true if a new deposit was recorded. If the tree's size changes, this counts as a sign of work: see
 * `Attention`.
 */
function followStep(
  d: FollowDependencies & Pick<SettlementDependencies, 'pool'> & { readonly attention: Attention },
  tree: VerifiedTree,
): () => Promise<boolean> {
  const compareStored = storedLeavesComparer(d.store, tree, d.witness)
  return async () => {
    await d.store.openCursor(d.pool.program, d.pool.domain, d.clock.nowMs())
    const { size } = tree
    await compareStored()
    const catchingUp = () => d.attention.recordWork()
    const followed = await followChain({ ...d, catchingUp }, tree)
    if (tree.size !== size) d.attention.recordWork()
    return followed === 'deposits'
  }
}
