import type { Life } from './life.ts'

/** The kinds of systems that ports call. Each kind has its own delays and failures. */
export type PortKind = 'rpc' | 'database' | 'keystore' | 'prover' | 'prices' | 'screener'

/** The fate of a call: when the call takes effect, if ever, and which answer the caller gets. */
export interface Fate {
  readonly effect: 'now' | 'late' | 'never'
  readonly answer: 'its own' | 'error'
  readonly latencyMs: number
}

const TIMEOUT_MS = 30_000
const CONNECTION_MS = 500
const RESTART_MS = 40_000
const SLOW_PROOF_MS = 150_000
const SLOW_KEY_MS = 300_000

/** Calls that may still take effect after the caller's timeout. They send data and read nothing. */
const CAN_BE_LATE = /\.(broadcast|close)$/

/** True if a worker asks the keystore for the newest key. Workers do this only to reseal an order. */
const isReseal = (name: string, who: string): boolean =>
  name === 'keystore.forNewOrder' && !who.includes('api.')

const ok = (latencyMs: number): Fate => ({ effect: 'now', answer: 'its own', latencyMs })
const failed = (effect: Fate['effect'], latencyMs: number): Fate => ({
  effect,
  answer: 'error',
  latencyMs,
})

/** Draws the fate of a call. In the trace, `who` names the caller and the call. */
export function drawFate({ world }: Life, kind: PortKind, name: string, who: string): Fate {
  const { faults, random } = world
  switch (kind) {
    case 'rpc':
      if (faults.fires('rpc_error', who)) return failed('never', 50)
      if (faults.fires('rpc_timeout', who)) return failed('never', TIMEOUT_MS)
      if (faults.fires('rpc_timeout_done', who)) return failed('now', TIMEOUT_MS)
      if (CAN_BE_LATE.test(name) && faults.fires('rpc_late_effect', who)) {
        return failed('late', TIMEOUT_MS)
      }
      return ok(random.between(20, 400))
    case 'database':
      return databaseFate(world, who)
    case 'keystore':
      if (faults.fires('keystore_error', who)) return failed('never', 1)
      return ok(
        isReseal(name, who) && faults.fires('slow_reseal', who)
          ? random.between(20_000, SLOW_KEY_MS)
          : 1,
      )
    case 'prices':
      if (faults.fires('price_error', who)) return failed('never', CONNECTION_MS)
      return ok(random.between(20, 200))
    case 'screener':
      if (faults.fires('screener_error', who)) return failed('never', CONNECTION_MS)
      return ok(random.between(20, 200))
    case 'prover':
      if (world.timeline.nowMs < world.proverDownUntilMs) return failed('never', 1_000)
      if (faults.fires('prover_failure', who)) return failed('never', 1_000)
      return ok(faults.fires('prover_slow', who) ? SLOW_PROOF_MS : random.between(700, 2_500))
  }
}

function databaseFate(world: Life['world'], who: string): Fate {
  const { faults, random, timeline } = world
  if (faults.fires('database_restart', who)) world.databaseDownUntilMs = timeline.nowMs + RESTART_MS
  if (timeline.nowMs < world.databaseDownUntilMs) return failed('never', 5)
  if (faults.fires('database_error', who)) return failed('never', 5)
  if (faults.fires('database_commit_unknown', who)) return failed('now', CONNECTION_MS)
  if (faults.fires('database_late_commit', who)) return failed('late', CONNECTION_MS)
  return ok(random.between(1, 12))
}
