import type { ProofJob } from './proof-job.ts'
import type { Proof } from './proof.ts'
import { ProverError, proverStopped } from './prover-error.ts'
import type { ProverEvent } from './prover-event.ts'
import { ProverSlot } from './prover-slot.ts'
import { renderWitness, type SettleWitness } from './settle-witness.ts'

/** Settings of the prover's processes. */
export interface ProverOptions {
  /** The prover. A `.mjs` file is run with this Node, any other file as an executable. It gets an empty environment. */
  readonly executable: string
  /** Arguments for the prover, such as `--artefacts <folder>`. */
  readonly args?: readonly string[]
  /** Number of parallel processes. While it proves, each process uses up to two cores and about 210 MB of memory. */
  readonly processes: number
  /** Maximum number of requests that wait for their proof to begin. Further requests are refused with PROVER_BUSY. */
  readonly queueMax: number
  /**
   * Maximum time for a proof in milliseconds. A process that exceeds it counts as hung and is killed. The default is
   * one minute. The limit must be longer than a proof takes on a busy machine. A proof takes a fraction of a second
   * with the native engine, and about two seconds with snarkjs.
   */
  readonly proofTimeoutMs?: number
  /** Called when a process starts, ends unexpectedly or reports a fault, for logs and metrics. */
  readonly onEvent?: (event: ProverEvent) => void
}

/** A client of the running prover processes, which share one queue. */
export interface ProverClient {
  /**
   * Proves a settlement. If the process ends during the proof, a new process repeats the proof once, without other
   * proofs at the same time.
   *
   * @throws ProverError; see ProverErrorCode.
   */
  prove(witness: SettleWitness): Promise<Proof>
  /** True if the key is a development key. Such a key must never protect real funds. */
  readonly development: boolean
  /**
   * SHA-256 of the verification key file, in hexadecimal. Compare it with `VKEY_SHA256` of `@sotto/protocol`: that is
   * the hash of the file from which the on-chain program's key was generated.
   */
  readonly vkeyHash: string
  /** Number of requests that each process works on at the same time. */
  readonly atOnce: number
  /** Number of requests that are waiting or being proved. */
  pending(): number
  /** Refuses waiting requests, lets proofs in progress finish for up to ten seconds, and then ends all processes. */
  stop(): Promise<void>
}

const PROOF_TIMEOUT_MS = 60_000
/**
 * Time in milliseconds that proofs in progress get when the client stops. This is longer than a proof takes, and
 * shorter than the time that a supervisor gives a service to stop.
 */
const STOP_GRACE_MS = 10_000

/**
 * Starts the prover's processes, and resolves when all of them are ready.
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
        // A job whose process ended is repeated alone, so that it can't end the proofs of other jobs.
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
      // Jobs that a process has received in advance count as waiting too.
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

/** Sends waiting jobs to the slots. The process with the fewest jobs gets the next job, because it can start first. */
function wakeInTurn(slots: readonly ProverSlot[]): void {
  const most = Math.max(...slots.map(({ heldMax }) => heldMax))
  for (let held = 0; held < most; held += 1) {
    for (const slot of slots) if (slot.held === held) slot.wake()
  }
}

const sumOf = (slots: readonly ProverSlot[], count: (slot: ProverSlot) => number): number =>
  slots.reduce((sum, slot) => sum + count(slot), 0)
