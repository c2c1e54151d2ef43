import { ServiceProcess, type ServiceOptions } from '../stage/service-process.ts'

/** How a process ended after a stop request. */
export interface Stopped {
  readonly ms: number
  /** 0 if the process ended in time after the stop request, without being killed. */
  readonly exit: number | string | undefined
}

/** A place in the deployment. One process after another runs in it. */
export class Replica {
  readonly name: string
  readonly #options: ServiceOptions
  #process: ServiceProcess | undefined
  #accidents = 0

  constructor(name: string, options: ServiceOptions) {
    this.name = name
    this.#options = options
  }

  /** The number of processes in this place that ended without a stop request. */
  get accidents(): number {
    return this.#accidents + (this.#process?.ends.others ?? 0)
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Starts a process of a built program; the default is today's program. Resolves when the process serves. */
  async start(program?: string): Promise<void> {
    const options = program === undefined ? this.#options : { ...this.#options, program }
    this.#accidents = this.accidents
    this.#process = new ServiceProcess(options)
    await this.#process.start()
  }

  /** Asks the process to stop, as a supervisor does, and waits until it has ended. */
  async stop(): Promise<Stopped> {
    const running = this.#process
    const startedMs = performance.now()
    await running?.stop()
    return { ms: performance.now() - startedMs, exit: running?.exit }
  }

  /** Suspends or resumes the process. */
  freeze(isFrozen: boolean): void {
    const pid = this.#process?.pid
    if (pid !== undefined) process.kill(pid, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Kills the process, as a power cut would. It isn't restarted. */
  async crash(): Promise<void> {
    await this.#process?.crash()
  }
}
