import { wasmPoseidon } from '@sotto/poseidon'
import { systemClock } from '../../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../../src/adapters/random/system-random.ts'
import { createSettlementChain } from '../../../src/adapters/chain/settlement/create-settlement-chain.ts'
import { createSettlementStore } from '../../../src/adapters/store/settlement/settlement-store.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { SettlementChain } from '../../../src/ports/settlement-chain.ts'
import {
  startSettlement,
  type RunningSettlement,
  type SettlementSettings,
} from '../../../src/settlement/start-settlement.ts'
import { PROGRAM } from './localnet-process.ts'
import { recipientsOf } from './recipients-of.ts'
import { type Stack } from './stack.ts'
import { FREE } from './run-operator.ts'

/** The engine's reports, which tests check. */
export interface Reports {
  readonly alerts: string[]
  /** Alerts that concern an order, each with its code and the order's pseudonym. */
  readonly named: string[]
  readonly failures: string[]
  readonly events: string[]
}

export interface Engine extends RunningSettlement {
  readonly reports: Reports
}

/** The parts of a stack that an engine needs. */
export type EngineParts = Pick<
  Stack,
  'rpc' | 'tree' | 'database' | 'prover' | 'secrets' | 'relayers' | 'domain'
> &
  Partial<Pick<Stack, 'verifier'>>

let workers = 0

/**
 * Starts settlement on a stack. `disturb` may add faults to the chain port. `more` replaces methods of the engine's
 * clock.
 */
export function startEngine(
  stack: EngineParts,
  disturb: (chain: SettlementChain) => SettlementChain = (chain) => chain,
  more: Partial<Pick<Clock, 'nowMs'>> = {},
  settings: Partial<SettlementSettings> = {},
): Engine {
  workers += 1
  const reports: Reports = { alerts: [], named: [], failures: [], events: [] }
  const chain = createSettlementChain({
    rpc: stack.rpc,
    program: PROGRAM,
    tree: stack.tree,
    recipients: recipientsOf(stack.rpc, PROGRAM),
  })
  const running = startSettlement({
    chain: disturb(chain),
    store: createSettlementStore(stack.database, stack.secrets),
    prover: stack.prover,
    verifier: stack.verifier,
    secrets: stack.secrets,
    relayers: stack.relayers,
    clock: { ...systemClock, ...more },
    random: systemRandom,
    poseidon: wasmPoseidon,
    log: {
      alert: (code, pseudonym) => {
        reports.alerts.push(code)
        if (pseudonym !== undefined) reports.named.push(`${code} ${pseudonym}`)
      },
      failed: (step, error) => reports.failures.push(`${step}: ${String(error)}`),
      event: (name) => reports.events.push(name),
    },
    pool: { program: PROGRAM, domain: stack.domain },
    settings: {
      workerId: `worker-${workers}`,
      pollMs: 300,
      idlePollMs: 1_000,
      sweepMs: 750,
      upkeepMs: 1_000,
      leaseMs: 20_000,
      concurrency: 1,
      provers: 1,
      proofsAtOnce: 1,
      usualDelay: { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 },
      retentionMs: 86_400_000,
      prices: FREE,
      clockMarginSeconds: undefined,
      ...settings,
    },
  })
  return { ...running, reports }
}
