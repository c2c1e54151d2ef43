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
/** Threads of one proof. More hardly make a proof faster; several processes can use more cores. */
const THREADS_MAX = 2

/**
 * Returns the function that makes a Groth16 proof of a witness, in snarkjs' form.
 *
 * @param {Uint8Array} zkey proving key
 * @returns {Promise<(witness: Uint8Array) => Promise<object>>} one call at a time
 * @throws {Error} if there is no executable for this machine or it can't use the key.
 */
export async function startNativeGroth16(zkey) {
  accessSync(EXECUTABLE, constants.X_OK)
  let running = await launch(zkey)

  return async (witness) => {
    if (witness.length !== running.values * NUMBER_BYTES) {
      throw new Error('The witness has another size.')
    }
    // The system may have killed the process for lack of memory. Starting another takes a fraction of a second.
    if (running.hasEnded()) running = await launch(zkey)
    running.write(Buffer.concat([randomScalar(), randomScalar(), witness]))
    const answer = await running.read(PROOF_BYTES)
    if (answer[0] !== 0) throw new Error('The executable refuses the witness.')
    return readProof(new DataView(answer.buffer, answer.byteOffset + 1))
  }
}

async function launch(zkey) {
  const threads = Math.min(THREADS_MAX, availableParallelism())
  // The process needs no environment variables, and its only messages report its own faults.
  const child = spawn(EXECUTABLE, [`${threads}`], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  const { read, hasEnded } = readerOf(child)
  child.stdin.unref()
  // Writing to a process that has just ended fails here. The reader reports the end.
  child.stdin.on('error', () => undefined)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(zkey.length)
  child.stdin.write(length)
  child.stdin.write(zkey)
  const values = (await read(4)).readUInt32LE()
  return { values, read, hasEnded, write: (bytes) => child.stdin.write(bytes) }
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
