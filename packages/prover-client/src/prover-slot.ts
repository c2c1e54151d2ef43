import { type ProofJob, settleJob } from './proof-job.ts'
import type { ProverEvent } from './prover-event.ts'
import { type Announcement, type Answer, type Exit, ProverProcess } from './prover-process.ts'
import { ProverError, proverStopped } from './prover-error.ts'

/** The operations of the shared queue that a slot uses. */
export interface SlotQueue {
  /** Takes the next job for a slot; undefined if there is none. `isIdle` is true if the slot has no other job. */
  readonly take: (isIdle: boolean) => ProofJob | undefined
  /** Puts a job back at the front of the queue, for a new process to take. */
  readonly putBack: (job: ProofJob) => void
  /** A slot calls this when its process can take another job. */
  readonly onFree: () => void
  readonly onEvent: (event: ProverEvent) => void
}

/** How a slot starts its processes, and its time limit for a proof. */
export interface SlotOptions {
  readonly executable: string
  readonly args: readonly string[]
  readonly proofTimeoutMs: number
}

// The pause before a restart doubles each time a process ends without an answer. So processes that always fail at the
// start don't use a whole core. The maximum pause is 30 seconds, so that a repaired prover is used before deliveries
// are late.
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 30_000

/**
 * A job is refused after this many processes have ended while they proved it, because it would probably end further
 * processes too.
 */
const CRASHES_MAX = 2

/** Number of jobs that a process receives in advance, so that it doesn't have to wait between two proofs. */
const AHEAD = 1

/**
 * Runs one process, and restarts it whenever it ends. The process announces how many jobs it can work on at the same
 * time. It begins and answers the jobs in the order in which it received them.
 */
export class ProverSlot {
  readonly #options: SlotOptions
  readonly #queue: SlotQueue
  #process: ProverProcess | undefined
  #announcement: Announcement | undefined
  /**
   * Hash of the first process's verification key; undefined before that process is ready. Every later process must
   * have the same key.
   */
  #vkeyHash: string | undefined
  /** The process's jobs in order: first those that it is proving, then those that it received in advance. */
  #jobs: ProofJob[] = []
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: SlotOptions, queue: SlotQueue) {
    this.#options = options
    this.#queue = queue
  }

  /** Number of jobs that the process has received and not answered yet. */
  get held(): number {
    return this.#jobs.length
  }

  /** Maximum number of unanswered jobs that the process may have. */
  get heldMax(): number {
    return this.#atOnce + AHEAD
  }

  /** Number of jobs that the process has received but isn't working on yet. */
  get waiting(): number {
    return Math.max(0, this.held - this.#atOnce)
  }

  /** True if the process would start to prove a new job immediately. */
  get isFree(): boolean {
    return this.#hasRoom(this.#atOnce)
  }

  /** Number of jobs that the process works on at the same time. */
  get #atOnce(): number {
    return this.#announcement?.atOnce ?? 1
  }

  /**
   * Starts the first process.
   *
   * @throws ProverError PROVER_START_FAILED if the process ends before it is ready. Then the slot starts no other
   *   process.
   */
  async start(): Promise<Announcement> {
    return new Promise((resolve, reject) => {
      this.#launch(resolve, (started, exit) => reject(started.startError(exit)))
    })
  }

  /** Sends the process one more job, if the process can take one and a job is waiting. */
  wake(): void {
    // If a process has ended while it proved the first job, send no other job, so that the first job is proved alone.
    if (this.#process === undefined || (this.#jobs[0]?.crashes ?? 0) > 0) return
    const job = this.#hasRoom(this.heldMax) ? this.#queue.take(this.held === 0) : undefined
    if (job === undefined) return
    this.#jobs.push(job)
    this.#process.send({ id: job.id, input: job.input })
    if (this.#jobs.length === 1) this.#limit(this.#process)
  }

  /**
   * Lets the proofs in progress finish for at most `graceMs`, and then ends the process. Refuses the jobs that the
   * process received in advance.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    for (const job of this.#jobs.splice(this.#atOnce)) job.reject(proverStopped())
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

  #hasRoom(heldMax: number): boolean {
    return this.#announcement !== undefined && this.#jobs.length < heldMax && !this.#isStopping
  }

  /** Kills the process if its first job exceeds the time limit. */
  #limit(running: ProverProcess): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => running.kill(), this.#options.proofTimeoutMs)
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
        this.#queue.onFree()
      } else {
        this.#readAnswer(started, line)
      }
    })
    started.onReport = () => this.#queue.onEvent({ kind: 'reported' })
    this.#process = started
    void started.exited.then((exit) => {
      const wasReady = this.#announcement !== undefined
      const atOnce = this.#atOnce
      this.#process = undefined
      this.#announcement = undefined
      clearTimeout(this.#timer)
      if (wasReady || this.#isStopping) this.#afterExit(exit, atOnce)
      else onFailure(started, exit)
    })
  }

  #readAnnouncement(line: unknown): Announcement | undefined {
    const announced = (line ?? {}) as Partial<Announcement & { ready: boolean }>
    const { ready, development, vkeyHash, atOnce = 1 } = announced
    if (ready !== true || typeof development !== 'boolean' || typeof vkeyHash !== 'string') {
      return undefined
    }
    if (!Number.isSafeInteger(atOnce) || atOnce < 1) return undefined
    // A different hash means that the artefacts have changed since the service started. Then every proof would fail on
    // the chain.
    if (vkeyHash !== (this.#vkeyHash ??= vkeyHash)) return undefined
    return { development, vkeyHash, atOnce }
  }

  #readAnswer(from: ProverProcess, line: unknown): void {
    const answer = line as Answer | undefined
    const [job, next] = this.#jobs
    // An answer that isn't for the first job shows that answers and jobs no longer match.
    if (job === undefined || answer?.id !== job.id) return from.kill()
    this.#jobs.shift()
    this.#failures = 0
    clearTimeout(this.#timer)
    if (next !== undefined) this.#limit(from)
    settleJob(job, answer)
    if (!this.#isStopping) return this.#queue.onFree()
    // The process may still be working on a job that it received in advance. That job was already refused, so kill
    // the process.
    if (this.#jobs.length === 0) from.kill()
  }

  /**
   * Handles the end of the process. Only its first `atOnce` jobs were being proved, so only these jobs can have
   * caused the end.
   */
  #afterExit({ code, signal }: Exit, atOnce: number): void {
    const jobs = this.#jobs.splice(0)
    const duringProof = jobs.length > 0
    for (const job of jobs.splice(atOnce).reverse()) this.#queue.putBack(job)
    for (const job of jobs.reverse()) this.#returnJob(job)
    if (this.#isStopping) return
    const restartInMs = Math.min(BACKOFF_FIRST_MS * 2 ** this.#failures++, BACKOFF_MAX_MS)
    this.#queue.onEvent({ kind: 'exited', code, signal, duringProof, restartInMs })
    this.#timer = setTimeout(() => {
      this.#launch(
        () => undefined,
        (_, exit) => this.#afterExit(exit, 1),
      )
    }, restartInMs)
  }

  #returnJob(job: ProofJob): void {
    job.crashes += 1
    if (this.#isStopping) {
      job.reject(proverStopped())
    } else if (job.crashes >= CRASHES_MAX) {
      job.reject(new ProverError('PROVER_CRASHED', 'Two processes crashed during this proof.'))
    } else {
      this.#queue.putBack(job)
    }
  }
}
