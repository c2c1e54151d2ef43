import { ServiceProcess, type ServiceOptions } from '../stage/service-process.ts'

/** The end of a process after a stop request. */
export interface Stopped {
  readonly ms: number
  /** 0 if it ended by itself and in time. */
  readonly exit: number | string | undefined
}

/** A place in the deployment; one process after another runs in it. */
export class Replica {
  readonly name: string
  readonly #options: ServiceOptions
  #process: ServiceProcess | undefined
  #accidents = 0

  constructor(name: string, options: ServiceOptions) {
    this.name = name
    this.#options = options
  }

  /** How often a process here ended without a stop request. */
  get accidents(): number {
    return this.#accidents + (this.#process?.ends.others ?? 0)
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Starts a process of a built program, today's unless given; resolves once it serves. */
  async start(program?: string): Promise<void> {
    const options = program === undefined ? this.#options : { ...this.#options, program }
    this.#accidents = this.accidents
    this.#process = new ServiceProcess(options)
    await this.#process.start()
  }

  /** Asks it to stop like every supervisor does, and waits for its end. */
  async stop(): Promise<Stopped> {
    const running = this.#process
    const startedMs = performance.now()
    await running?.stop()
    return { ms: performance.now() - startedMs, exit: running?.exit }
  }

  /** Suspends or resumes it. */
  freeze(isFrozen: boolean): void {
    const pid = this.#process?.pid
    if (pid !== undefined) process.kill(pid, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Kills it like a power cut would; it isn't restarted. */
  async crash(): Promise<void> {
    await this.#process?.crash()
  }
}
