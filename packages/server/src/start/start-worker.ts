import { hostname } from 'node:os'
import { httpLeaves } from '../adapters/leaves/http-leaves.ts'
import type { Meters } from '../adapters/metrics/meters.ts'
import { wasmPoseidon } from '@sotto/poseidon'
import { startProcessProver } from '../adapters/prover/process-prover.ts'
import { openProofVerifier } from '../adapters/prover/proof-verifier.ts'
import type { Recipients } from '../adapters/chain/recipients/recipients.ts'
import { createSettlementChain } from '../adapters/chain/settlement/create-settlement-chain.ts'
import type { ReadPoolMints } from '../adapters/chain/settlement/pool-mints.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { createSettlementStore } from '../adapters/store/settlement/settlement-store.ts'
import type { Database } from '../adapters/store/sql.ts'
import { tracedChain, tracedProver } from '../adapters/tracing/traced-settlement.ts'
import { untraced } from '../adapters/tracing/untraced.ts'
import { refusePayees } from '../adapters/test-mode/refuse-payees.ts'
import { testRecipients } from '../adapters/test-mode/test-recipients.ts'
import type { Config } from '../config.ts'
import { RETENTION_MS } from '../domain/epoch.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { SettlementGauges } from '../ports/settlement-gauges.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { StatusChanges } from '../ports/status-changes.ts'
import { startSettlement, type RunningSettlement } from '../settlement/start-settlement.ts'
import { delaysOf } from './delays-of.ts'
import { clockMarginOf } from './follow-limits-of.ts'
import { priceLimitsOf } from './price-limits-of.ts'
import { requirePool } from './require-pool.ts'
import { openRelayers } from './open-keys.ts'
import { preloadTree } from './preload-tree.ts'
import { withinLimit } from './within-limit.ts'

export interface WorkerParts {
  readonly config: Config
  readonly database: Database
  readonly rpc: ChainRpc
  /** One client for each node; empty if there is only one node. */
  readonly witnesses: readonly ChainRpc[]
  readonly recipients: Recipients
  readonly mints: ReadPoolMints
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: Random
  readonly log: SettlementLog
  readonly gauges: SettlementGauges
  readonly meters: Meters
  readonly tracing?: Tracing | undefined
  /** Called with the names that new events have in the outbox. */
  readonly notify: StatusChanges['notify']
}

/**
 * Maximum number of orders in progress for each prover. While the prover works on one order, the worker sends requests
 * to nodes for other orders, and some of these requests hang for seconds. With eight orders, a prover that makes four
 * proofs a second was sometimes idle if a tenth of the requests failed. The number must not exceed the length of the
 * prover's queue.
 */
const ORDERS_PER_PROVER = 24
const SWEEP_MS = 15_000
/**
 * Interval in milliseconds at which the chain is polled while there is no work. Public nodes allow 40 requests of one
 * method in ten seconds. At this interval, all requests of an idle service together stay below that limit.
 */
const IDLE_POLL_MS = 3_000
/**
 * Duration of a lease, in milliseconds. A worker renews its leases every two seconds. If a worker is killed, other
 * workers can claim its orders once its leases have ended.
 */
const LEASE_MS = 8_000
/**
 * Longest wait for open work when the worker stops, in milliseconds. It is longer than a proof takes. Work that hangs
 * for longer is abandoned, and its lease expires.
 */
const STOPPING_MS = 20_000

/** Starts provers and settlement. @throws OperatorError that names what is missing. */
export async function startWorker(parts: WorkerParts): Promise<RunningSettlement> {
  const { config, database, rpc, secrets, clock, random, log, gauges, meters, notify } = parts
  const tracing = parts.tracing ?? untraced
  const program = config.PROGRAM_ID
  const relayers = await openRelayers(config, clock)
  const pool = await requirePool(rpc, program)
  const clockMargin = clockMarginOf(config)
  const store = createSettlementStore(database, secrets, { clock, notify })
  const chain = createSettlementChain({
    ...{ rpc, witnesses: parts.witnesses, program, tree: pool.tree },
    recipients: parts.recipients,
    mints: parts.mints,
  })
  const { tree, file } = await preloadTree({ store, chain, log }, config.TREE)
  const prover = await startProcessProver({
    processes: config.PROVER_PROCESSES,
    onProof: meters.proofMade,
    onEvent: ({ kind }) => {
      if (kind === 'exited') meters.proverExited()
      if (kind === 'reported') log.event('prover_fault')
    },
  })
  const settlement = startSettlement({
    chain: tracedChain(config.TEST_MODE ? refusePayees(chain, testRecipients) : chain, tracing),
    prover: tracedProver(meters.prover(prover), tracing),
    verifier: await openProofVerifier(),
    tracing,
    treeKeeper: file,
    ...{ store, tree, secrets, relayers, clock, random, log, gauges },
    poseidon: wasmPoseidon,
    pool: { program, domain: pool.domain },
    published: (config.LEAVES_URLS ?? []).map(httpLeaves),
    settings: {
      workerId: `${hostname()}-${process.pid}-${Buffer.from(random.bytes(4)).toString('hex')}`,
      pollMs: config.POLL_MS,
      idlePollMs: IDLE_POLL_MS,
      sweepMs: SWEEP_MS,
      upkeepMs: config.UPKEEP_SECONDS * 1_000,
      leaseMs: LEASE_MS,
      concurrency: config.PROVER_PROCESSES * ORDERS_PER_PROVER,
      provers: config.PROVER_PROCESSES,
      proofsAtOnce: prover.atOnce,
      usualDelay: delaysOf(config),
      retentionMs: RETENTION_MS,
      prices: priceLimitsOf(config),
      clockMarginSeconds: clockMargin === undefined ? undefined : BigInt(clockMargin),
    },
  })
  return {
    wake: settlement.wake,
    stop: async () => {
      await withinLimit(clock, STOPPING_MS, settlement.stop())
      await prover.stop()
      await file?.close()
    },
  }
}
