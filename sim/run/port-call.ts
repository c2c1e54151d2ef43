import type { FaultKind } from '../faults/fault-kinds.ts'
import type { Life } from './life.ts'

/** What is behind a port: each kind is slow, and fails, in its own way. */
export type PortKind = 'rpc' | 'database' | 'keystore' | 'prover' | 'prices' | 'screener'

/** What becomes of a call: whether its effect comes, and what the caller learns. */
interface Fate {
  readonly effect: 'now' | 'late' | 'never'
  readonly answer: 'its own' | 'error'
  readonly latencyMs: number
}

const TIMEOUT_MS = 30_000
const LATE_MS = 45_000
const CONNECTION_MS = 500
const RESTART_MS = 40_000
const SLOW_PROOF_MS = 150_000

/** Calls whose effect may come after the caller gave up: they hand something over and read nothing. */
const CAN_BE_LATE = /\.(broadcast|close)$/

const ok = (latencyMs: number): Fate => ({ effect: 'now', answer: 'its own', latencyMs })
const failed = (effect: Fate['effect'], latencyMs: number): Fate => ({
  effect,
  answer: 'error',
  latencyMs,
})

function fateOf(life: Life, kind: PortKind, name: string): Fate {
  const { faults, random } = life.world
  const fires = (fault: FaultKind) => faults.fires(fault, `${life.name} ${name}`)
  switch (kind) {
    case 'rpc':
      if (fires('rpc_error')) return failed('never', 50)
      if (fires('rpc_timeout')) return failed('never', TIMEOUT_MS)
      if (fires('rpc_timeout_done')) return failed('now', TIMEOUT_MS)
      if (CAN_BE_LATE.test(name) && fires('rpc_late_effect')) return failed('late', TIMEOUT_MS)
      return ok(random.between(20, 400))
    case 'database':
      return databaseFate(life, fires)
    case 'keystore':
      return fires('keystore_error') ? failed('never', 1) : ok(1)
    case 'prices':
      return fires('price_error') ? failed('never', CONNECTION_MS) : ok(random.between(20, 200))
    case 'screener':
      return fires('screener_error') ? failed('never', CONNECTION_MS) : ok(random.between(20, 200))
    case 'prover':
      if (fires('prover_failure')) return failed('never', 1_000)
      return ok(fires('prover_slow') ? SLOW_PROOF_MS : random.between(700, 2_500))
  }
}

function databaseFate(life: Life, fires: (fault: FaultKind) => boolean): Fate {
  const { world } = life
  const { nowMs } = world.timeline
  if (fires('database_restart')) world.databaseDownUntilMs = nowMs + RESTART_MS
  if (nowMs < world.databaseDownUntilMs) return failed('never', 5)
  if (fires('database_error')) return failed('never', 5)
  if (fires('database_commit_unknown')) return failed('now', CONNECTION_MS)
  if (fires('database_late_commit')) return failed('late', CONNECTION_MS)
  return ok(world.random.between(1, 12))
}

/**
 * Calls through a port, with whatever fate the run's faults have for it. The effect and the answer
 * come at moments of their own, between which the world goes on.
 */
export function callPort<T>(
  life: Life,
  kind: PortKind,
  name: string,
  effect: () => Promise<T>,
): Promise<T> {
  const { timeline, faults, random } = life.world
  return new Promise<T>((resolve, reject) => {
    if (!life.isAlive) return
    if (faults.fires('crash_before_call', `${life.name} ${name}`)) return life.kill()
    const isLast = faults.fires('crash_after_call', `${life.name} ${name}`)
    const fate = fateOf(life, kind, name)
    const answer = (settle: () => void) => {
      const end = () => {
        if (!life.isAlive) return
        if (isLast) return life.kill()
        settle()
      }
      // Most answers follow at once, and some find a world that has gone on.
      if (random.chance(0.7)) end()
      else timeline.after(1 + random.below(fate.latencyMs), end)
    }
    const refuse = () => reject(new Error(`${kind} failed: ${name}`))
    if (fate.effect === 'late') timeline.after(random.between(500, LATE_MS), () => run(effect))
    timeline.after(fate.latencyMs, () => {
      if (fate.effect !== 'now') return answer(refuse)
      life.note(name)
      effect().then(
        (value) => answer(() => (fate.answer === 'error' ? refuse() : resolve(value))),
        (error: unknown) => answer(() => reject(error)),
      )
    })
  })
}

/** Nobody waits for an effect that comes late, and nobody learns that it failed. */
function run(effect: () => Promise<unknown>): void {
  effect().catch(() => undefined)
}

/** A port each of whose methods is called through `callPort`. */
export function throughFaults<Port extends object>(
  life: Life,
  kind: PortKind,
  name: string,
  port: Port,
): Port {
  const methods = Object.entries(port).map(([method, inner]) => {
    const call = inner as (...parameters: unknown[]) => Promise<unknown>
    const outer = (...parameters: unknown[]) =>
      callPort(life, kind, `${name}.${method}`, () => call(...parameters))
    return [method, outer] as const
  })
  return Object.fromEntries(methods) as Port
}
