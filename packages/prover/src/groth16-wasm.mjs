import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { randomScalar, readProof } from './proof-numbers.mjs'

/** Built from `wasm/groth16` by `wasm/build.sh`. Every proof that it makes is verified with other code. */
const MODULE = new URL('../wasm/groth16.wasm', import.meta.url)

const NUMBER_BYTES = 32

/**
 * Starts the module. Two threads share the work. Each has an instance of the module and a part of the key. Both threads
 * compute the whole witness, because computing it twice is faster than copying it.
 *
 * @param {Uint8Array} zkey proving key
 * @param {Uint8Array} [program] computes the circuit's witness
 * @returns {Promise<import('./prove-settlement.mjs').Engine>}
 * @throws {Error} if the module can't be read or this machine can't run it.
 */
export async function startGroth16(zkey, program = new Uint8Array()) {
  const module = await WebAssembly.compile(await readFile(MODULE))
  const [start, rest] = await Promise.all(
    ['start', 'rest'].map((part) => startThread({ module, zkey, program, part })),
  )

  async function prove(request, given) {
    const numbers = Buffer.concat([randomScalar(), randomScalar(), given])
    const [points, sum] = await bothOf([start, rest].map(({ ask }) => ask(request, numbers)))
    if (points === undefined || sum === undefined) return undefined
    const [ab, aByS] = [points.subarray(0, 6 * NUMBER_BYTES), points.subarray(6 * NUMBER_BYTES)]
    const c = await rest.ask('add', Buffer.concat([sum, aByS]))
    const proof = Buffer.concat([ab, c])
    return readProof(new DataView(proof.buffer, proof.byteOffset))
  }

  return {
    proveWitness: (witness) => prove('witness', witness),
    ...(start.canSolve && rest.canSolve && { proveInputs: (inputs) => prove('inputs', inputs) }),
  }
}

/**
 * Waits for both answers, even if one is an error. So the prover can't take a late answer for the answer to the next
 * request.
 */
async function bothOf(answers) {
  await Promise.allSettled(answers)
  return Promise.all(answers)
}

/** A thread that answers one request at a time. */
async function startThread(data) {
  const thread = new Worker(new URL('./groth16-thread.mjs', import.meta.url), { workerData: data })
  // An idle thread must not keep the process alive after the last request.
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
  thread.on('message', ({ error, result }) =>
    error === undefined ? settle('resolve', result) : settle('reject', new Error(error)),
  )
  thread.on('error', (error) => settle('reject', error))
  thread.on('exit', () => settle('reject', new Error('A thread of the prover has ended.')))
  const canSolve = await next()
  const ask = (request, numbers) => {
    thread.postMessage({ request, numbers })
    return next()
  }
  return { canSolve, ask }
}
