import { EventQueue } from './event-queue.ts'

/** The real `setImmediate`, saved when the module loads, so that a run can forbid all other timers. */
const later = setImmediate

/**
 * Number of steps in one round of the event loop. One round takes as much time as several steps, so each round has many
 * steps.
 */
const BATCH = 64

/** Long computations pause only to let other work of the process continue. Their pauses take no virtual time. */
const atOnce = (work: () => void) => {
  queueMicrotask(work)
}

/** The virtual time of a run. It jumps from event to event, and doesn't advance while code runs. */
export class Timeline {
  readonly #queue = new EventQueue()
  #nowMs: number
  #queued = 0
  #steps = 0

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Number of events so far. */
  get steps(): number {
    return this.#steps
  }

  /** Queues an event `delayMs` from now. `isAlone` is true if no promise waits for the event. */
  after(delayMs: number, run: () => void, isAlone = false): void {
    this.#queued += 1
    const atMs = this.#nowMs + Math.max(0, delayMs)
    this.#queue.push({ atMs, order: this.#queued, run, isAlone })
  }

  /** Resolves after a delay. Processes must not call this, because the delay ends even if the process dies. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve))
  }

  /**
   * Processes events until `isOver` returns true, or until no event is left before `untilMs`. Each step is a separate
   * macrotask, so all promises that are ready continue before the next step.
   */
  async run(isOver: () => boolean, untilMs: number): Promise<void> {
    const given = globalThis.setImmediate
    Object.assign(globalThis, { setImmediate: atOnce })
    try {
      await this.#run(isOver, untilMs)
    } finally {
      globalThis.setImmediate = given
    }
  }

  #run(isOver: () => boolean, untilMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let isDone = false
      const step = () => {
        if (isDone) return
        try {
          isDone = !this.#step(isOver, untilMs)
        } catch (error) {
          isDone = true
          reject(error)
        }
      }
      const batch = () => {
        if (isDone) return resolve()
        for (let count = 0; count < BATCH; count += 1) later(step)
        later(batch)
      }
      batch()
    })
  }

  /** Runs the next event that may resolve promises, and all events before it. Returns false if the run is over. */
  #step(isOver: () => boolean, untilMs: number): boolean {
    for (;;) {
      if (isOver()) return false
      const { next } = this.#queue
      if (next === undefined || next.atMs > untilMs) {
        this.#nowMs = Math.max(this.#nowMs, untilMs)
        return false
      }
      this.#queue.pop()
      this.#nowMs = next.atMs
      this.#steps += 1
      next.run()
      if (!next.isAlone) return true
    }
  }
}
