import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { randomScalar, readProof } from './proof-numbers.mjs'

/** Built from `wasm/groth16` by `wasm/build.sh`. snarkjs verifies every proof that it makes. */
const MODULE = new URL('../wasm/groth16.wasm', import.meta.url)

const NUMBER_BYTES = 32

/**
 * Returns the function that makes a Groth16 proof of a witness, in snarkjs' form. Two threads share the work, each with
 * an instance of the module and its part of the key.
 *
 * @param {Uint8Array} zkey proving key
 * @returns {Promise<(witness: Uint8Array) => Promise<object>>} one call at a time
 * @throws {Error} if the module can't be read or this machine can't run it.
 */
export async function startGroth16(zkey) {
  const module = await WebAssembly.compile(await readFile(MODULE))
  const [start, rest] = await Promise.all(
    ['start', 'rest'].map((part) => startThread({ module, zkey, part })),
  )
  return async (witness) => {
    const numbers = Buffer.concat([randomScalar(), randomScalar(), witness])
    const [points, sum] = await Promise.all([start.prove(numbers), rest.prove(numbers)])
    const [ab, aByS] = [points.subarray(0, 6 * NUMBER_BYTES), points.subarray(6 * NUMBER_BYTES)]
    const c = await rest.add(Buffer.concat([sum, aByS]))
    const proof = Buffer.concat([ab, c])
    return readProof(new DataView(proof.buffer, proof.byteOffset))
  }
}

/** A thread that answers one request at a time. */
async function startThread(data) {
  const thread = new Worker(new URL('./groth16-thread.mjs', import.meta.url), { workerData: data })
  // The thread must not keep the process alive once the requests have ended.
  thread.unref()
  let waiting
  const settle = (kind, value) => {
    waiting?.[kind](value)
    waiting = undefined
  }
  const next = () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      thread.ref()
    }).finally(() => thread.unref())
  thread.on('message', ({ error, numbers }) =>
    error === undefined ? settle('resolve', numbers) : settle('reject', new Error(error)),
  )
  thread.on('error', (error) => settle('reject', error))
  thread.on('exit', () => settle('reject', new Error('A thread of the prover has ended.')))
  await next()
  const ask = (request, numbers) => {
    thread.postMessage({ request, numbers })
    return next()
  }
  return { prove: (numbers) => ask('prove', numbers), add: (numbers) => ask('add', numbers) }
}
