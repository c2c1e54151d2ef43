import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SHIFTED_CLOCK = fileURLToPath(new URL('./shifted-clock.mjs', import.meta.url))

/** A clock that can be moved ahead. The chain, the service and the clients of a local run share it. */
export class FastClock {
  readonly #file: string
  #shiftMs = 0

  private constructor(file: string) {
    this.#file = file
  }

  /** Opens a clock in a folder, which must exist. */
  static async open(folder: string): Promise<FastClock> {
    const clock = new FastClock(join(folder, 'clock'))
    await clock.advance(0)
    return clock
  }

  /** Milliseconds since 1970 by this clock. */
  readonly nowMs = (): number => Date.now() + this.#shiftMs

  /** Moves the clock ahead for every process that runs under it. */
  async advance(ms: number): Promise<void> {
    this.#shiftMs += Math.max(0, Math.round(ms))
    // The file is written under another name and then renamed. So processes never read a file that is only partly
    // written.
    await writeFile(`${this.#file}.new`, `${this.#shiftMs}`)
    await rename(`${this.#file}.new`, this.#file)
  }

  /** Runs `start`. The processes that `start` starts run under this clock. */
  async under<Result>(start: () => Promise<Result>): Promise<Result> {
    const before = { ...process.env }
    process.env['OBSERVE_CLOCK_FILE'] = this.#file
    process.env['NODE_OPTIONS'] =
      `${before['NODE_OPTIONS'] ?? ''} --import=${SHIFTED_CLOCK}`.trimStart()
    try {
      return await start()
    } finally {
      for (const name of ['OBSERVE_CLOCK_FILE', 'NODE_OPTIONS']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  }
}
