import type { WorkHint } from '../../packages/server/src/domain/work-hint.ts'
import type { SettlementLog } from '../../packages/server/src/ports/settlement-log.ts'
import {
  startSettlement,
  type RunningSettlement,
} from '../../packages/server/src/settlement/start-settlement.ts'
import type { Endpoint } from '../chain/endpoint.ts'
import { followPort } from '../chain/follow-port.ts'
import { Node } from '../chain/node.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { quickProof } from '../chain/quick-proof.ts'
import { publishedLeaves } from '../chain/published-leaves.ts'
import { payPort, upkeepPort } from '../chain/pay-port.ts'
import { Life } from '../run/life.ts'
import { throughFaults } from '../run/port-call.ts'
import { DELAYS, MINTS, PRICES, RETENTION_MS } from './setting.ts'
import type { Stage } from './stage.ts'

/**
 * The length of a lease. It is longer than a usual proof takes and shorter than a slow proof takes, so that a worker
 * sometimes loses its lease.
 */
const LEASE_MS = 60_000
const DOWN_MS = 90_000
/**
 * The greatest jumps of the wall clock, forward or back: 90 seconds, 2 hours, 20 hours, and 40 days. The last one is
 * longer than the life of any key.
 */
const JUMPS_MS = [90_000, 7_200_000, 72_000_000, 3_456_000_000]

/**
 * A settlement worker, which may die and then restarts under a new name. It relies on its own wall clock, which may be
 * wrong.
 */
export class Worker {
  readonly #stage: Stage
  readonly #name: string
  readonly #endpoint: Endpoint
  readonly #skew = { ms: 0 }
  #lives = 0
  #isRetired = false
  #life: Life | undefined
  #running: RunningSettlement | undefined

  constructor(stage: Stage, name: string, endpoint: Endpoint) {
    this.#stage = stage
    this.#name = name
    this.#endpoint = endpoint
  }

  start(): void {
    if (this.#isRetired) return
    const stage = this.#stage
    this.#lives += 1
    const name = `${this.#name}.${this.#lives}`
    const life = new Life(stage, name, this.#skew, () => this.#restartLater())
    this.#life = life
    life.note('starts')
    this.#running = startSettlement(dependenciesOf(stage, life, this.#endpoint))
  }

  /** Draws whether an operator or the environment disturbs the worker now. */
  disturb(): void {
    const { faults } = this.#stage
    if (faults.fires('wall_clock_jump', this.#name)) {
      const jumpMs = faults.random.pick(JUMPS_MS)
      this.#skew.ms = faults.random.between(-jumpMs, jumpMs)
    }
    if (faults.fires('duplicate_notification', this.#name)) {
      for (let count = faults.random.between(1, 5); count > 0; count -= 1) this.wake()
    }
    if (faults.fires('graceful_restart', this.#name)) this.#stop()
  }

  heal(): void {
    this.#skew.ms = 0
  }

  /** Ends the worker permanently. */
  retire(): void {
    this.#isRetired = true
    this.#life?.end()
  }

  /** Restarts the worker immediately. */
  restart(): void {
    this.#life?.end()
    this.start()
  }

  wake(hint?: WorkHint): void {
    if (this.#life?.isAlive === true) this.#running?.wake(hint)
  }

  #stop(): void {
    const life = this.#life
    if (life === undefined || !life.isAlive || this.#running === undefined) return
    this.#running.stop().then(
      () => {
        if (!life.isAlive) return
        life.note('has stopped')
        life.end()
        this.#restartLater()
      },
      () => undefined,
    )
  }

  #restartLater(): void {
    const { timeline, random } = this.#stage
    this.#running = undefined
    timeline.after(random.between(2_000, DOWN_MS), () => this.start())
  }
}

function dependenciesOf(stage: Stage, life: Life, endpoint: Endpoint) {
  const { signatures, parties, watch } = stage
  const node = () => new Node(endpoint)
  const rpc = {
    ...followPort(node),
    ...payPort(node, signatures),
    ...upkeepPort(node, signatures, MINTS),
  }
  const source = publishedLeaves(node)
  const chain = throughFaults(life, 'rpc', 'chain', watch.chain(rpc, life))
  const published = throughFaults(life, 'rpc', 'leaves', { read: source.read })
  return {
    // `forgetHistory` and `forget` make no request to a node, so no fault affects them.
    chain: Object.assign(chain, { forgetHistory: rpc.forgetHistory }),
    published: stage.arePublished ? [Object.assign(published, { forget: source.forget })] : [],
    store: throughFaults(
      life,
      'database',
      'store',
      watch.store(stage.memory.settlement, life, endpoint),
    ),
    prover: throughFaults(life, 'prover', 'prover', {
      prove: async (witness: Parameters<typeof quickProof>[0]) => {
        watch.proved(witness)
        return quickProof(witness)
      },
    }),
    secrets: throughFaults(life, 'keystore', 'keystore', watch.secrets({ ...stage.keystore })),
    relayers: parties.relayers,
    clock: life,
    random: stage.random.stream(life.name),
    poseidon: quickHash,
    log: logOf(stage, life),
    pool: { program: parties.program, domain: parties.domain },
    settings: {
      workerId: life.name,
      pollMs: stage.pollMs,
      sweepMs: 6 * stage.pollMs,
      upkeepMs: 20 * stage.pollMs,
      leaseMs: LEASE_MS,
      concurrency: 2,
      provers: 1,
      proofsAtOnce: 2,
      usualDelay: DELAYS,
      retentionMs: RETENTION_MS,
      prices: PRICES,
      clockMarginSeconds: 120n,
    },
  }
}

function logOf({ watch }: Stage, life: Life): SettlementLog {
  return {
    alert: (code) => {
      life.note(`alert ${code}`)
      // A simulated worker uses a single node, so it must never report that two nodes disagree.
      if (code === 'nodes_disagree')
        watch.fail('no alert reports that agreeing nodes disagree', life.name)
    },
    failed: (step) => life.note(`failed ${step}`),
    event: (name) => life.note(`event ${name}`),
  }
}
