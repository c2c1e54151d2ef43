import type { BalancePhase } from './balance-phase.ts'
import type { BalanceRun } from './balance-run.ts'

const OPENING: BalancePhase = { kind: 'opening', pending: undefined }

/** In these phases, the person has asked for a payment that isn't made yet. */
const BUSY: readonly BalancePhase['kind'][] = ['waiting', 'repriced', 'uncertain', 'paying']

interface OpenRun {
  readonly run: BalanceRun
  phase: BalancePhase
}

/**
 * The balances that this tab uses. The page shows at most one of them. If the person leaves a balance while a payment
 * waits or is being made, the payment continues. The page shows how it ended when the person opens that balance again.
 */
export class OpenRuns {
  readonly #make: (name: string, changed: (phase: BalancePhase) => void) => BalanceRun
  readonly #show: (phase: BalancePhase) => void
  readonly #open = new Map<string, OpenRun>()
  #shown: OpenRun | undefined

  constructor(
    make: (name: string, changed: (phase: BalancePhase) => void) => BalanceRun,
    show: (phase: BalancePhase) => void,
  ) {
    this.#make = make
    this.#show = show
  }

  /** Shows a balance. Opens it if this tab doesn't use it yet. */
  open(name: string): BalanceRun {
    const known = this.#open.get(name)
    if (known !== this.#shown) this.leave()
    const one = known ?? this.#start(name)
    this.#shown = one
    this.#show(one.phase)
    if (known === undefined) void one.run.open()
    return one.run
  }

  /** Stops showing the balance, and closes it unless a payment of it is in progress. */
  leave(): void {
    const left = this.#shown
    this.#shown = undefined
    if (left === undefined || BUSY.includes(left.phase.kind)) return
    this.#open.delete(left.run.name)
    left.run.close()
  }

  #start(name: string): OpenRun {
    const changed = (phase: BalancePhase) => {
      one.phase = phase
      if (this.#shown === one) this.#show(phase)
    }
    const one: OpenRun = { run: this.#make(name, changed), phase: OPENING }
    this.#open.set(name, one)
    return one
  }
}
