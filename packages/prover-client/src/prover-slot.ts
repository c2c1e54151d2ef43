import { type ProofJob, settleJob } from './proof-job.ts'
import type { ProverEvent } from './prover-event.ts'
import { type Announcement, type Answer, type Exit, ProverProcess } from './prover-process.ts'
import { ProverError } from './prover-error.ts'

/** The part of the queue that a slot uses. */
export interface SlotQueue {
  /** The next job, or undefined while there is none. */
  readonly take: () => ProofJob | undefined
  /** Puts a job back at the front of the queue, for a new process. */
  readonly putBack: (job: ProofJob) => void
  readonly onEvent: (event: ProverEvent) => void
}

/** How a slot starts processes, and its waiting times. */
export interface SlotOptions {
  readonly executable: string
  readonly args: readonly string[]
  readonly proofTimeoutMs: number
}

// A process that fails to start uses a whole core, so the pauses grow. The longest is 30 seconds, so that a repaired
// prover is used again before deliveries are late.
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 30_000

/** A job that has killed this many processes is given up, because it is likely to kill every other process too. */
const CRASHES_MAX = 2

/** Runs one process with at most one job at a time. The process is restarted whenever it ends. */
export class ProverSlot {
  readonly #options: SlotOptions
  readonly #queue: SlotQueue
  #process: ProverProcess | undefined
  #announcement: Announcement | undefined
  /** The key of the first process. Later processes must have the same one. */
  #vkeyHash: string | undefined
  #job: ProofJob | undefined
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: SlotOptions, queue: SlotQueue) {
    this.#options = options
    this.#queue = queue
  }

  get isBusy(): boolean {
    return this.#job !== undefined
  }

  /** True if the slot would accept a job immediately. */
  get isFree(): boolean {
    return this.#announcement !== undefined && this.#job === undefined && !this.#isStopping
  }

  /**
   * Starts the first process.
   *
   * @throws ProverError PROVER_START_FAILED if the process ends before it is ready; the start is not repeated.
   */
  async start(): Promise<Announcement> {
    return new Promise((resolve, reject) => {
      this.#launch(resolve, (started, exit) => reject(started.startError(exit)))
    })
  }

  /** Gives the process its next job, if the process is free and there is a job. */
  wake(): void {
    if (this.#process === undefined || !this.isFree) return
    const job = this.#queue.take()
    if (job === undefined) return
    this.#job = job
    this.#process.send({ id: job.id, input: job.input })
    const started = this.#process
    this.#timer = setTimeout(() => started.kill(), this.#options.proofTimeoutMs)
  }

  /** Lets the running proof finish for at most `graceMs`, then ends the process. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    const current = this.#process
    if (current === undefined) {
      clearTimeout(this.#timer)
      return
    }
    current.finish()
    const timer = setTimeout(() => current.kill(), graceMs)
    await current.exited
    clearTimeout(timer)
  }

  #launch(
    onReady: (announcement: Announcement) => void,
    onFailure: (started: ProverProcess, exit: Exit) => void,
  ): void {
    const { executable, args } = this.#options
    const started = new ProverProcess(executable, args, (line) => {
      if (this.#process !== started) return
      if (this.#announcement === undefined) {
        this.#announcement = this.#readAnnouncement(line)
        if (this.#announcement === undefined) return started.kill()
        this.#queue.onEvent({ kind: 'started', pid: started.pid ?? 0 })
        onReady(this.#announcement)
        this.wake()
      } else {
        this.#readAnswer(started, line)
      }
    })
    this.#process = started
    void started.exited.then((exit) => {
      const wasReady = this.#announcement !== undefined
      this.#process = undefined
      this.#announcement = undefined
      clearTimeout(this.#timer)
      if (wasReady || this.#isStopping) this.#afterExit(exit)
      else onFailure(started, exit)
    })
  }

  #readAnnouncement(line: unknown): Announcement | undefined {
    const { ready, development, vkeyHash } = (line ?? {}) as Partial<
      Announcement & { ready: boolean }
    >
    if (ready !== true || typeof development !== 'boolean' || typeof vkeyHash !== 'string') {
      return undefined
    }
    // The artefacts changed while the service runs, so all proofs would fail on chain.
    if (vkeyHash !== (this.#vkeyHash ??= vkeyHash)) return undefined
    return { development, vkeyHash }
  }

  #readAnswer(from: ProverProcess, line: unknown): void {
    const answer = line as Answer | undefined
    // An answer to anything but the running request means that the two sides are out of sync.
    if (this.#job === undefined || answer?.id !== this.#job.id) return from.kill()
    const job = this.#job
    this.#job = undefined
    this.#failures = 0
    clearTimeout(this.#timer)
    settleJob(job, answer)
    this.wake()
  }

  #afterExit({ code, signal }: Exit): void {
    const job = this.#job
    this.#job = undefined
    if (job !== undefined) this.#returnJob(job)
    if (this.#isStopping) return
    const restartInMs = Math.min(BACKOFF_FIRST_MS * 2 ** this.#failures++, BACKOFF_MAX_MS)
    const duringProof = job !== undefined
    this.#queue.onEvent({ kind: 'exited', code, signal, duringProof, restartInMs })
    this.#timer = setTimeout(() => {
      this.#launch(
        () => undefined,
        (_, exit) => this.#afterExit(exit),
      )
    }, restartInMs)
  }

  #returnJob(job: ProofJob): void {
    job.crashes += 1
    if (this.#isStopping) {
      job.reject(new ProverError('PROVER_STOPPED', 'The prover was stopped during this proof.'))
    } else if (job.crashes >= CRASHES_MAX) {
      job.reject(new ProverError('PROVER_CRASHED', 'Two processes died during this proof.'))
    } else {
      this.#queue.putBack(job)
    }
  }
}
