// Makes one half of a proof in a separate thread: see groth16-wasm.mjs.
import { parentPort, workerData } from 'node:worker_threads'

const NUMBER_BYTES = 32
/** Count of numbers in each result. */
const RESULTS = { start: 8, rest: 2, add: 2 }
const BROKEN_RULE = 4

const { module, zkey, program, part } = workerData
const { exports } = await WebAssembly.instantiate(module)

/** Copies bytes into the module's memory. */
function write(bytes, size = bytes.length) {
  const at = exports.reserve(size)
  new Uint8Array(exports.memory.buffer).set(bytes, at)
  return at
}

/** Adds two points. */
function add(numbers) {
  const at = write(numbers)
  return { at, code: exports.add() }
}

/** Makes this thread's part of a proof. `numbers` are a witness or the circuit's inputs. */
function prove(request, numbers) {
  const size = (exports.signals() + 2) * NUMBER_BYTES
  const expected = request === 'inputs' ? (inputs + 2) * NUMBER_BYTES : size
  if (numbers.length !== expected) return { error: 'The count of numbers is wrong.' }
  const at = write(numbers, size)
  const solved = request === 'inputs' ? exports.solve() : 0
  return { at, code: solved === 0 ? exports[`prove_${part}`]() : solved }
}

function answer(request, numbers) {
  const { at, code, error } = request === 'add' ? add(numbers) : prove(request, numbers)
  if (error !== undefined) return { error }
  if (request === 'inputs' && code === BROKEN_RULE) return {}
  if (code !== 0) return { error: 'The module refuses the numbers.' }
  const count = request === 'add' ? RESULTS.add : RESULTS[part]
  return { result: new Uint8Array(exports.memory.buffer, at, count * NUMBER_BYTES).slice() }
}

write(zkey)
const loaded = exports[`load_${part}`](zkey.length)
write(program)
const inputs = exports.load_program(program.length)
parentPort.postMessage(
  loaded === 0 ? { result: inputs > 0 } : { error: 'The proving key cannot be used.' },
)
parentPort.on('message', ({ request, numbers }) => parentPort.postMessage(answer(request, numbers)))
