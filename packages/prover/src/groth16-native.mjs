import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { randomScalar, readProof } from './proof-numbers.mjs'

/** Built from `wasm/native` by `wasm/build.sh`. Other code verifies every proof that this executable makes. */
const EXECUTABLE = fileURLToPath(
  new URL(`../native/${process.platform}-${process.arch}/sotto-groth16`, import.meta.url),
)

const NUMBER_BYTES = 32
/** One status byte and eight numbers. */
const PROOF_BYTES = 1 + 8 * NUMBER_BYTES
/** The first byte of a request. It determines which numbers follow. */
const WITNESS = 0
const INPUTS = 1
/** Status bytes. */
const MADE = 0
const BROKEN_RULE = 2
/**
 * Maximum number of threads, and of proofs that one process makes at the same time. A single proof uses all threads.
 * Two proofs at the same time use one thread each. Together they take less time than two proofs one after the other.
 * More threads hardly make a proof faster. To use more cores, run several processes.
 */
const THREADS_MAX = 2

/** The executable ended during a proof. The system may have killed it for lack of memory. */
export class ExecutableEnded extends Error {}

/**
 * Starts the executable.
 *
 * @param {Uint8Array} zkey proving key
 * @param {Uint8Array} [program] computes the circuit's witness
 * @returns {Promise<import('./prove-settlement.mjs').Engine>}
 * @throws {Error} if there is no executable for this machine or it can't use the key.
 */
export async function startNativeGroth16(zkey, program = new Uint8Array()) {
  accessSync(EXECUTABLE, constants.X_OK)
  const threads = Math.min(THREADS_MAX, availableParallelism())
  const { values, inputs, ...first } = await launch(threads, zkey, program)
  let running = Promise.resolve(first)

  /**
   * Returns the running process, or starts a new process if the last process has ended, for example because the system
   * killed it for lack of memory. A start takes a fraction of a second.
   */
  async function living() {
    const current = running
    const hasEnded = await current.then(
      (one) => one.hasEnded(),
      () => true,
    )
    // A call for another proof may have started a new process in the meantime.
    if (hasEnded && running === current) running = launch(threads, zkey, program)
    return running
  }

  async function prove(kind, numbers) {
    const { write, read } = await living()
    // Answers come in the order of requests, so no other request may be written between these two calls.
    write(Buffer.concat([Buffer.of(kind), randomScalar(), randomScalar(), numbers]))
    const answer = await read(PROOF_BYTES)
    if (kind === INPUTS && answer[0] === BROKEN_RULE) return undefined
    if (answer[0] !== MADE) throw new Error('The executable refuses the numbers.')
    return readProof(new DataView(answer.buffer, answer.byteOffset + 1))
  }

  return {
    atOnce: threads,
    proveWitness: async (witness) => {
      assertCount(witness, values)
      return prove(WITNESS, witness)
    },
    ...(inputs > 0 && {
      proveInputs: async (numbers) => {
        assertCount(numbers, inputs)
        return prove(INPUTS, numbers)
      },
    }),
  }
}

/** With a wrong count, the process would misread all later requests. */
function assertCount(numbers, count) {
  if (numbers.length !== count * NUMBER_BYTES) throw new Error('The count of numbers is wrong.')
}

async function launch(threads, zkey, program) {
  // The process needs no environment variables. Its error output reports only its own faults, so ignore it.
  const child = spawn(EXECUTABLE, [`${threads}`], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  const { read, hasEnded } = readerOf(child)
  child.stdin.unref()
  // Writing to a process that has just ended fails here. The reader reports the end.
  child.stdin.on('error', () => undefined)
  for (const file of [zkey, program]) {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(file.length)
    child.stdin.write(length)
    child.stdin.write(file)
  }
  const counts = await read(8)
  const [values, inputs] = [counts.readUInt32LE(0), counts.readUInt32LE(4)]
  return { values, inputs, read, hasEnded, write: (bytes) => child.stdin.write(bytes) }
}

/**
 * Returns two functions. `read` waits for a number of bytes of the process's output; its calls get their bytes in the
 * order of the calls. `hasEnded` is true after the process has ended. The child process keeps the prover alive only
 * while a call of `read` waits, so that the prover can end together with its own input.
 */
function readerOf(child) {
  let received = Buffer.alloc(0)
  const waiting = []
  let ended
  const answer = () => {
    while (waiting.length > 0 && received.length >= waiting[0].bytes) {
      const { bytes, resolve } = waiting.shift()
      resolve(received.subarray(0, bytes))
      received = received.subarray(bytes)
    }
    if (ended !== undefined) for (const { reject } of waiting.splice(0)) reject(ended)
    for (const handle of [child, child.stdout]) {
      if (waiting.length > 0) handle.ref()
      else handle.unref()
    }
  }
  child.stdout.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    answer()
  })
  const end = () => {
    ended = new ExecutableEnded('The executable that makes proofs has ended.')
    answer()
  }
  child.on('error', end)
  child.on('close', end)
  const read = (bytes) =>
    new Promise((resolve, reject) => {
      waiting.push({ bytes, resolve, reject })
      answer()
    })
  return { read, hasEnded: () => ended !== undefined }
}
