import type { ProofJob } from './proof-job.ts'
import type { Proof } from './proof.ts'
import { ProverError, proverStopped } from './prover-error.ts'
import type { ProverEvent } from './prover-event.ts'
import { ProverSlot } from './prover-slot.ts'
import { renderWitness, type SettleWitness } from './settle-witness.ts'

/** Settings of the provers. */
export interface ProverOptions {
  /**
   * The prover. A `.mjs` file runs with this Node, anything else as an executable. The prover gets an empty
   * environment.
   */
  readonly executable: string
  /** Arguments for the prover, such as `--artefacts <folder>`. */
  readonly args?: readonly string[]
  /** Number of parallel processes. Each uses up to two cores while it proves, and about 210 MB of memory. */
  readonly processes: number
  /** Number of requests that may wait for their proof to begin. Further requests are refused with PROVER_BUSY. */
  readonly queueMax: number
  /**
   * If a proof takes longer than this, its process counts as hung and is killed. The default is one minute. The limit
   * must exceed the time of a proof (two seconds), even on a busy machine.
   */
  readonly proofTimeoutMs?: number
  /** Called when processes start and die, for logs and metrics. */
  readonly onEvent?: (event: ProverEvent) => void
}

/** Running provers that share one queue. */
export interface ProverClient {
  /**
   * Proves a settlement. If the process dies, a new one replaces it and repeats the request once. Meanwhile the new
   * process proves nothing else.
   *
   * @throws ProverError; see ProverErrorCode.
   */
  prove(witness: SettleWitness): Promise<Proof>
  /** True if the key is a development key, which must never guard real funds. */
  readonly development: boolean
  /**
   * SHA-256 of the verification key file, in hexadecimal. `VKEY_SHA256` of `@sotto/protocol` is the same hash for the
   * program's key.
   */
  readonly vkeyHash: string
  /** Number of requests that each process works on at a time. */
  readonly atOnce: number
  /** Number of requests that wait or are being proved. */
  pending(): number
  /** Refuses waiting requests, lets running proofs finish for up to ten seconds, and ends all processes. */
  stop(): Promise<void>
}

const PROOF_TIMEOUT_MS = 60_000
/**
 * Time for running proofs at a stop: longer than a proof takes, and shorter than the time in which a supervisor expects
 * a service to stop.
 */
const STOP_GRACE_MS = 10_000

/**
 * Starts the prover's processes and resolves when all are ready.
 *
 * @throws ProverError PROVER_START_FAILED with the executable's own reason.
 */
export async function startProver(options: ProverOptions): Promise<ProverClient> {
  const waiting: ProofJob[] = []
  let isStopped = false
  let nextId = 0
  const slots = Array.from({ length: options.processes }, () => makeSlot())

  function makeSlot(): ProverSlot {
    const slotOptions = {
      executable: options.executable,
      args: options.args ?? [],
      proofTimeoutMs: options.proofTimeoutMs ?? PROOF_TIMEOUT_MS,
    }
    return new ProverSlot(slotOptions, {
      take: (isIdle) => {
        // If a process ended during a job, that job is proved alone. So a second crash can't come from another job.
        const isSuspect = (waiting[0]?.crashes ?? 0) > 0
        return isSuspect && !isIdle ? undefined : waiting.shift()
      },
      putBack: (job) => {
        waiting.unshift(job)
        wakeAll()
      },
      onFree: () => wakeAll(),
      onEvent: (event) => options.onEvent?.(event),
    })
  }

  const wakeAll = () => wakeInTurn(slots)
  const pending = () => waiting.length + sumOf(slots, ({ held }) => held)

  async function stop(): Promise<void> {
    isStopped = true
    for (const job of waiting.splice(0)) job.reject(proverStopped())
    await Promise.all(slots.map((slot) => slot.stop(STOP_GRACE_MS)))
  }

  function prove(witness: SettleWitness): Promise<Proof> {
    if (isStopped) return Promise.reject(proverStopped())
    return new Promise((resolve, reject) => {
      // Jobs that a process holds but doesn't prove yet count as waiting too.
      const waits = waiting.length + sumOf(slots, (slot) => slot.waiting)
      if (waits >= options.queueMax && slots.every((slot) => !slot.isFree)) {
        reject(new ProverError('PROVER_BUSY', "The prover's queue is full."))
        return
      }
      const input = renderWitness(witness)
      waiting.push({ id: `${nextId++}`, witness, input, crashes: 0, resolve, reject })
      wakeAll()
    })
  }

  const starts = await Promise.allSettled(slots.map((slot) => slot.start()))
  const failed = starts.find((start) => start.status === 'rejected')
  const [first] = starts
  if (failed !== undefined || first?.status !== 'fulfilled') {
    await stop()
    throw (
      failed?.reason ?? new ProverError('PROVER_START_FAILED', 'At least one process is needed.')
    )
  }
  return {
    prove,
    development: first.value.development,
    vkeyHash: first.value.vkeyHash,
    atOnce: first.value.atOnce,
    pending,
    stop,
  }
}

/** Gives jobs to the slots. The process with the fewest jobs gets the next one, because it can start first. */
function wakeInTurn(slots: readonly ProverSlot[]): void {
  const most = Math.max(...slots.map(({ heldMax }) => heldMax))
  for (let held = 0; held < most; held += 1) {
    for (const slot of slots) if (slot.held === held) slot.wake()
  }
}

const sumOf = (slots: readonly ProverSlot[], count: (slot: ProverSlot) => number): number =>
  slots.reduce((sum, slot) => sum + count(slot), 0)
