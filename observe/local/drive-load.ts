import { setTimeout as sleep } from 'node:timers/promises'
import type { KeptCrowd, Ledger, LedgerEntry, TrueLink } from '../load/ledger.ts'
import type { Plan, PlannedStep } from '../load/plan.ts'
import type { LocalRun } from './local-run.ts'
import { BalanceHolder } from './pay-from-balance.ts'
import { sendTransfer, type Progress } from './send-transfer.ts'

export interface DriveOptions {
  /** The factor by which time passes faster while no payment is being signed, proved or landed. */
  readonly speed: number
  /** Called after each step has ended, with the number of steps that have ended. */
  readonly onEnded: (ended: number) => void
}

/** The true links between the load's deposits and settlements, and the steps that failed. */
export interface Driven extends Ledger {
  /** The error messages of the steps that failed. */
  readonly failures: readonly string[]
}

/** After this many milliseconds, all processes have noticed a change of the clock. */
const TICK_MS = 200
/** While a delivery waits for its random delay, the clock moves by at most this much at once. */
const CAREFUL_MS = 5_000
/** While only long delays are pending, the clock moves by at most this much at once. */
const PATIENT_MS = 20_000
/** After the last step, the run waits at most this long for open deliveries. */
const LAST_MS = 7_200_000

/** Counts the steps that run at the same time, so that the clock waits for them. */
export class Activity implements Progress {
  #busy = 0
  #waiting = 0
  #patient = 0

  /** True while a step does work during which the clock must not be moved ahead. */
  get isBusy(): boolean {
    return this.#busy > 0
  }

  get isWaiting(): boolean {
    return this.#waiting + this.#patient > 0
  }

  /** The maximum time by which the clock may be moved ahead at once. */
  get leapMaxMs(): number {
    if (this.#waiting > 0) return CAREFUL_MS
    return this.#patient > 0 ? PATIENT_MS : Infinity
  }

  async while<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
    }
  }

  /** Does work during which the clock may be moved ahead. */
  async idle<Result>(isPatient: boolean, work: () => Promise<Result>): Promise<Result> {
    this.#busy -= 1
    if (isPatient) this.#patient += 1
    else this.#waiting += 1
    try {
      return await work()
    } finally {
      this.#busy += 1
      if (isPatient) this.#patient -= 1
      else this.#waiting -= 1
    }
  }
}

/** Carries out every step of a plan at its time through the service's interface, as partners and owners do. */
export async function driveLoad(
  run: LocalRun,
  plan: Plan,
  { speed, onEnded }: DriveOptions,
): Promise<Driven> {
  const activity = new Activity()
  const balances = new BalanceHolder(run)
  const links: TrueLink[] = []
  const crowds: KeptCrowd[] = []
  const failures: string[] = []
  const running: Promise<void>[] = []
  const beginMs = run.clock.nowMs()
  let ended = 0
  const begin = (step: PlannedStep): void => {
    const made = activity
      .while(() => makeStep(run, balances, activity, step))
      .then(({ link, crowd }) => {
        if (link !== undefined) links.push(link)
        if (crowd !== undefined) crowds.push(crowd)
      })
      .catch((error: unknown) => {
        failures.push(`${step.kind}: ${error instanceof Error ? error.message : String(error)}`)
      })
      .then(() => onEnded((ended += 1)))
    running.push(made)
  }
  const until = async (atMs: number): Promise<void> => {
    while (run.clock.nowMs() < atMs) {
      await sleep(TICK_MS)
      if (activity.isBusy) continue
      const leapMs = Math.min(speed * TICK_MS, activity.leapMaxMs, atMs - run.clock.nowMs())
      await run.clock.advance(leapMs)
    }
  }
  for (const step of plan.steps) {
    await until(beginMs + step.atSeconds * 1_000)
    begin(step)
  }
  const lastMs = run.clock.nowMs() + LAST_MS
  while (activity.isBusy || activity.isWaiting) {
    if (run.clock.nowMs() > lastMs) throw new Error('some transfers of the load never ended')
    await until(run.clock.nowMs() + PATIENT_MS)
  }
  await Promise.all(running)
  return { links, crowds, failures }
}

function makeStep(
  run: LocalRun,
  balances: BalanceHolder,
  activity: Activity,
  step: PlannedStep,
): Promise<LedgerEntry> {
  switch (step.kind) {
    case 'transfer':
      return sendTransfer(run, activity, step)
    case 'topUp':
      return balances.topUp(step).then(() => ({}))
    case 'payment':
      return balances.pay(step).then((link) => ({ link }))
  }
}
