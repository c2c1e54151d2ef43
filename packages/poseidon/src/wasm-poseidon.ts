import type { Poseidon } from '@sotto/protocol'
import { startPoseidon } from './poseidon-module.mjs'

const NUMBER_BYTES = 32
const ARITY_MAX = 7

const module = startPoseidon()
const view = new DataView(module.buffer.buffer, module.buffer.byteOffset, module.buffer.length)

function write(place: number, number: bigint): void {
  const at = place * NUMBER_BYTES
  // A number of more than 256 bits would be truncated here, and the module could not refuse it.
  if (number < 0n || number >> 256n !== 0n) throw new RangeError('not an element of the field')
  for (let word = 0; word < 4; word += 1) {
    view.setBigUint64(at + 8 * word, BigInt.asUintN(64, number >> BigInt(64 * word)), true)
  }
}

function read(): bigint {
  let number = 0n
  for (let word = 3; word >= 0; word -= 1) {
    number = (number << 64n) | view.getBigUint64(8 * word, true)
  }
  return number
}

function hash(inputs: readonly bigint[]): bigint {
  if (inputs.length < 1 || inputs.length > ARITY_MAX) {
    throw new RangeError('this Poseidon accepts one to seven inputs')
  }
  inputs.forEach((input, place) => write(place, input))
  module.hash(inputs.length, 1)
  return read()
}

function hashQuads(nodes: Uint8Array): Uint8Array {
  const hashes = new Uint8Array(nodes.length / 4)
  module.hashQuads(nodes, hashes)
  return hashes
}

/**
 * Circomlib's Poseidon hash for up to seven inputs, in WebAssembly. It takes about a seventh of the time that plain
 * JavaScript takes.
 * @throws RangeError if an input isn't an element of the field.
 */
export const wasmPoseidon: Poseidon = Object.assign(hash, { hashQuads })
