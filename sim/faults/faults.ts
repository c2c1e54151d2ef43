import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'
import type { Trace } from '../time/trace.ts'
import { FAULT_KINDS, FAULT_RATES, type FaultKind } from './fault-kinds.ts'

/** Share of the kinds that a run has switched on. With all kinds, a run would make little progress. */
const SHARE_ON = 0.6

interface FaultSetting {
  readonly random: SeededRandom
  readonly timeline: Timeline
  readonly trace: Trace
  /** True to run without any faults. */
  readonly isCalm: boolean
  /** Kinds that stay off. The search for the kinds that a failure needs sets this field. */
  readonly without: ReadonlySet<FaultKind>
}

/** Draws which faults happen, and counts them. All faults end when the faulty part of the run is over. */
export class Faults {
  readonly fired: Partial<Record<FaultKind, number>> = {}
  /** Random numbers for the details of a fault, such as its duration. */
  readonly random: SeededRandom
  readonly #d: FaultSetting
  readonly #rates = new Map<FaultKind, number>()
  #isHealed = false

  constructor(d: FaultSetting) {
    this.#d = d
    this.random = d.random.stream('details')
    const plan = d.random.stream('plan')
    const strength = 0.3 + plan.below(1_000) / 700
    for (const kind of FAULT_KINDS) {
      const isOn = plan.chance(SHARE_ON)
      if (isOn && !d.isCalm && !d.without.has(kind))
        this.#rates.set(kind, FAULT_RATES[kind] * strength)
    }
  }

  get isHealed(): boolean {
    return this.#isHealed
  }

  heal(): void {
    this.#isHealed = true
    this.#d.trace.add(this.#d.timeline.nowMs, 'faults', 'heal')
  }

  /** True if this kind of fault is switched on now. Use it for kinds with a separate stream of random numbers. */
  mayHappen(kind: FaultKind): boolean {
    return !this.#isHealed && this.#rates.has(kind)
  }

  /** Counts a fault of a kind that uses a separate stream of random numbers. */
  count(kind: FaultKind, who: string): void {
    this.fired[kind] = (this.fired[kind] ?? 0) + 1
    this.#d.trace.add(this.#d.timeline.nowMs, who, `fault ${kind}`)
  }

  /** Draws whether this fault happens at this opportunity. */
  fires(kind: FaultKind, who: string): boolean {
    if (this.#isHealed) return false
    // The draw happens even for kinds that are off. So switching off one kind doesn't change the draws of the others.
    const isDrawn = this.random.chance(this.#rates.get(kind) ?? 0)
    if (!isDrawn) return false
    this.count(kind, who)
    return true
  }
}
