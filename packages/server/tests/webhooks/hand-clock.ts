import type { Clock } from '../../src/ports/clock.ts'

/** A wall clock that only the test moves. */
export class HandClock implements Clock {
  #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  readonly nowMs = (): number => this.#nowMs
  readonly sleep = async (): Promise<void> => undefined

  advance(ms: number): void {
    this.#nowMs += ms
  }
}
