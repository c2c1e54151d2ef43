import type { BalancePhase } from './balance-phase.ts'
import type { BalanceRun } from './balance-run.ts'

const OPENING: BalancePhase = { kind: 'opening', pending: undefined }

/** In these phases, the person has asked for a payment that isn't made yet. */
const BUSY = ['waiting', 'repriced', 'uncertain', 'paying'] as const

/** The phase of a payment in progress. */
export type BusyPhase = (typeof BUSY)[number]

const busyKind = ({ kind }: BalancePhase): BusyPhase | undefined => BUSY.find((one) => one === kind)

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
  readonly #noted: () => void
  readonly #open = new Map<string, OpenRun>()
  #shown: OpenRun | undefined

  /** `noted` is called when a balance changes and the page doesn't show that balance. */
  constructor(
    make: (name: string, changed: (phase: BalancePhase) => void) => BalanceRun,
    show: (phase: BalancePhase) => void,
    noted: () => void = () => undefined,
  ) {
    this.#make = make
    this.#show = show
    this.#noted = noted
  }

  /** The phase of this balance's payment; undefined if no payment of it is in progress in this tab. */
  busyIn(name: string): BusyPhase | undefined {
    const one = this.#open.get(name)
    return one && busyKind(one.phase)
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
    if (left === undefined || busyKind(left.phase) !== undefined) return
    this.#open.delete(left.run.name)
    left.run.close()
  }

  #start(name: string): OpenRun {
    const changed = (phase: BalancePhase) => {
      one.phase = phase
      if (this.#shown === one) this.#show(phase)
      else this.#noted()
    }
    const one: OpenRun = { run: this.#make(name, changed), phase: OPENING }
    this.#open.set(name, one)
    return one
  }
}
