import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { randomScalar, readProof } from './proof-numbers.mjs'

/** Built from `wasm/native` by `wasm/build.sh`. snarkjs verifies every proof that it makes. */
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
/** Number of threads for one proof. More threads hardly make a proof faster. Several processes can use more cores. */
const THREADS_MAX = 2

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
  let running = await launch(zkey, program)

  async function prove(kind, numbers) {
    // The system may have killed the process for lack of memory. Starting another takes a fraction of a second.
    if (running.hasEnded()) running = await launch(zkey, program)
    running.write(Buffer.concat([Buffer.of(kind), randomScalar(), randomScalar(), numbers]))
    const answer = await running.read(PROOF_BYTES)
    if (kind === INPUTS && answer[0] === BROKEN_RULE) return undefined
    if (answer[0] !== MADE) throw new Error('The executable refuses the numbers.')
    return readProof(new DataView(answer.buffer, answer.byteOffset + 1))
  }

  return {
    proveWitness: async (witness) => {
      assertCount(witness, running.values)
      return prove(WITNESS, witness)
    },
    ...(running.inputs > 0 && {
      proveInputs: async (inputs) => {
        assertCount(inputs, running.inputs)
        return prove(INPUTS, inputs)
      },
    }),
  }
}

/** With a wrong count, the process would misread all later requests. */
function assertCount(numbers, count) {
  if (numbers.length !== count * NUMBER_BYTES) throw new Error('The count of numbers is wrong.')
}

async function launch(zkey, program) {
  const threads = Math.min(THREADS_MAX, availableParallelism())
  // The process needs no environment variables, and its only messages report its own faults.
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
 * Waits for the given number of bytes of a process's output, one call at a time. The child process keeps this one alive
 * only during such a wait, so that this process can end when its own input ends.
 */
function readerOf(child) {
  let received = Buffer.alloc(0)
  let waiting
  let ended
  const keepAlive = (isWaiting) => {
    for (const handle of [child, child.stdout]) {
      if (isWaiting) handle.ref()
      else handle.unref()
    }
  }
  const answer = () => {
    keepAlive(waiting !== undefined)
    if (waiting === undefined) return
    const { bytes, resolve, reject } = waiting
    if (received.length >= bytes) {
      waiting = undefined
      keepAlive(false)
      const answered = received.subarray(0, bytes)
      received = received.subarray(bytes)
      resolve(answered)
    } else if (ended !== undefined) {
      waiting = undefined
      keepAlive(false)
      reject(ended)
    }
  }
  child.stdout.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    answer()
  })
  const end = () => {
    ended = new Error('The executable that makes proofs has ended.')
    answer()
  }
  child.on('error', end)
  child.on('close', end)
  const read = (bytes) =>
    new Promise((resolve, reject) => {
      waiting = { bytes, resolve, reject }
      answer()
    })
  return { read, hasEnded: () => ended !== undefined }
}
