import { readFileSync } from 'node:fs'

// This file is plain JavaScript, because threads run it too: under Node 20 a thread can't load TypeScript.

/** The length of a number in bytes. Its least significant byte comes first. */
const NUMBER_BYTES = 32
/** The maximum count of numbers in the module's buffer. */
const BUFFER_NUMBERS = 2_048

/** A new instance of the module. `wasm/poseidon` is its source. */
export function startPoseidon() {
  const code = readFileSync(new URL('./poseidon.wasm', import.meta.url))
  // The module is compiled synchronously: this happens only once, and 145 KB take only milliseconds.
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code))
  const { memory, buffer: place, hash: run } = exports
  // The module's memory never grows, so a view of it stays valid.
  const buffer = new Uint8Array(memory.buffer, place(), BUFFER_NUMBERS * NUMBER_BYTES)

  function hash(arity, count) {
    if (run(arity, count) !== 0) throw new RangeError('not an element of the field')
  }

  function hashQuads(nodes, hashes) {
    for (let from = 0; from < nodes.length; from += buffer.length) {
      const part = nodes.subarray(from, from + buffer.length)
      buffer.set(part)
      hash(4, part.length / (4 * NUMBER_BYTES))
      hashes.set(buffer.subarray(0, part.length / 4), from / 4)
    }
  }

  return { buffer, hash, hashQuads }
}
