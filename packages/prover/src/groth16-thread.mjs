// Makes one half of a proof in a separate thread: see groth16-wasm.mjs.
import { parentPort, workerData } from 'node:worker_threads'

const NUMBER_BYTES = 32
/** Count of numbers in each answer. */
const RESULTS = { start: 8, rest: 2, add: 2 }

const { module, zkey, part } = workerData
const { exports } = await WebAssembly.instantiate(module)

/** Copies bytes into the module's memory. */
function write(bytes) {
  const at = exports.reserve(bytes.length)
  new Uint8Array(exports.memory.buffer).set(bytes, at)
  return at
}

function answer(request, numbers) {
  if (request === 'prove' && numbers.length !== (exports.signals() + 2) * NUMBER_BYTES) {
    return { error: 'The witness has another size.' }
  }
  const at = write(numbers)
  const code = request === 'add' ? exports.add() : exports[`prove_${part}`]()
  if (code !== 0) return { error: 'The module refuses the witness.' }
  const count = request === 'add' ? RESULTS.add : RESULTS[part]
  return { numbers: new Uint8Array(exports.memory.buffer, at, count * NUMBER_BYTES).slice() }
}

write(zkey)
const loaded = exports[`load_${part}`](zkey.length)
parentPort.postMessage(loaded === 0 ? {} : { error: 'The proving key cannot be used.' })
parentPort.on('message', ({ request, numbers }) => parentPort.postMessage(answer(request, numbers)))
