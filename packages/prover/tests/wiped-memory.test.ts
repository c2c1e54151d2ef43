import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROVER_ARTEFACTS, PROVER_MODULE, PROVER_WITNESS_PROGRAM } from '../index.ts'

const NATIVE = fileURLToPath(new URL('../native/linux-x64/sotto-groth16', import.meta.url))
/** Order of BN254's scalar field. */
const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n
const NUMBER_BYTES = 32
/** Size of an answer with a proof, in bytes: one status byte and eight numbers. */
const PROOF_BYTES = 1 + 8 * NUMBER_BYTES
/** The first byte of a request that contains the circuit's inputs. */
const FROM_INPUTS = 1
/** The number of a section of the key file. The executable keeps this section's points unchanged in memory. */
const H_POINTS = 9

/** The module's functions and its memory. */
interface Module {
  memory: { readonly buffer: ArrayBuffer }
  reserve: (bytes: number) => number
  load_rest: (bytes: number) => number
  load_program: (bytes: number) => number
  signals: () => number
  solve: () => number
  prove_rest: () => number
}

// Node has WebAssembly, but only TypeScript's library for browsers contains its types.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate: (bytes: Uint8Array) => Promise<{ instance: { exports: unknown } }> }
}

type Input = Record<string, string | string[]>
const vectorsUrl = new URL('../../../vectors/circuit.json', import.meta.url)
const { cases } = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
  cases: { kind: string; input: Input; publicInputs: string[] }[]
}
const { input, publicInputs } = cases.find(({ kind }) => kind === 'pay')!
const file = await readFile(PROVER_WITNESS_PROGRAM)
const end = file.indexOf('\n')
const { inputs } = JSON.parse(file.toString('utf8', 0, end)) as { inputs: [string, number][] }
const code = file.subarray(end + 1)
const zkey = await readFile(`${PROVER_ARTEFACTS}/settle.zkey`)
const numbers = inputs.flatMap(([name]) => input[name]!).map(BigInt)
// Numbers below 2^200 may occur in memory by chance, so the test doesn't search for them.
const secrets = numbers.filter((one) => one > 2n ** 200n && !publicInputs.includes(String(one)))
const given = Buffer.concat([3n, 5n, ...numbers].map((one) => wordsOf(one, 64n, 4)))

/** The lowest `count` words of a number as little-endian bytes. Each word has `bits` bits. */
function wordsOf(number: bigint, bits: bigint, count: number): Buffer {
  const word = bits > 32n ? 8 : 4
  const bytes = Buffer.alloc(word * count)
  for (let index = 0; index < count; index += 1) {
    const value = BigInt.asUintN(Number(bits), number >> (BigInt(index) * bits))
    if (word === 8) bytes.writeBigUInt64LE(value, 8 * index)
    else bytes.writeUInt32LE(Number(value), 4 * index)
  }
  return bytes
}

/**
 * Counts the secrets that are still in memory, as bytes or in Montgomery form. An allocator overwrites the start of
 * freed memory, so the first eight bytes of each secret aren't compared.
 */
function countSecrets(memory: readonly Buffer[], bits: bigint, limbs: number): number {
  const isThere = (bytes: Buffer) => memory.some((part) => part.includes(bytes.subarray(8)))
  const mont = (one: bigint) => (one << (bits * BigInt(limbs))) % FIELD
  const forms = (one: bigint) => [
    wordsOf(one, 64n, 4),
    ...[mont(one), mont(one) + FIELD].map((raw) => wordsOf(raw, bits, limbs)),
  ]
  return secrets.filter((one) => forms(one).some(isThere)).length
}

test('the WebAssembly module keeps no secret of a finished proof', async () => {
  const { instance } = await WebAssembly.instantiate(await readFile(PROVER_MODULE))
  const module = instance.exports as Module
  const write = (bytes: Uint8Array, size = bytes.length) => {
    const at = module.reserve(size)
    new Uint8Array(module.memory.buffer).set(bytes, at)
  }
  const count = () => countSecrets([Buffer.from(module.memory.buffer)], 29n, 9)
  write(zkey)
  module.load_rest(zkey.length)
  write(code)
  module.load_program(code.length)
  write(given, (module.signals() + 2) * NUMBER_BYTES)
  expect(secrets.length).toBeGreaterThan(3)
  expect(count()).toBe(secrets.length)
  expect([module.solve(), module.prove_rest()]).toEqual([0, 0])
  expect(count()).toBe(0)
})

/** A section of a key file. The file has a header of 12 bytes. Each section starts with its number and its length. */
function sectionOf(key: Buffer, wanted: number): Buffer {
  let at = 12
  for (;;) {
    const [number, length] = [key.readUInt32LE(at), Number(key.readBigUInt64LE(at + 4))]
    at += 12
    if (number === wanted) return key.subarray(at, at + length)
    at += length
  }
}

/** The memory that a process can write to, without the regions that the system maps into it. */
function readMemory(pid: number): Buffer[] {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .filter((line) => / rw/.test(line) && !/\[v/.test(line))
      .map((line) => {
        const [start, stop] = /^(\w+)-(\w+)/
          .exec(line)!
          .slice(1)
          .map((at) => BigInt(`0x${at}`))
        const part = Buffer.alloc(Number(stop! - start!))
        const length = readSync(memory, part, 0, part.length, start!)
        return part.subarray(0, length)
      })
  } finally {
    closeSync(memory)
  }
}

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the executable keeps no secret of a finished proof',
  async () => {
    // Use one thread, because the stacks of other threads disappear at an unknown time when these threads end.
    const child = spawn(NATIVE, ['1'], { stdio: ['pipe', 'pipe', 'ignore'] })
    try {
      const answer = new Promise<Buffer>((resolve, reject) => {
        let received = Buffer.alloc(0)
        child.stdout.on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk])
          if (received.length === 8 + PROOF_BYTES) resolve(received)
        })
        child.on('close', () => reject(new Error('The executable has ended.')))
      })
      for (const part of [zkey, code]) {
        child.stdin.write(Buffer.concat([wordsOf(BigInt(part.length), 32n, 1), part]))
      }
      child.stdin.write(Buffer.concat([Buffer.of(FROM_INPUTS), given]))
      expect((await answer).readUInt8(8)).toBe(0)
      const memory = readMemory(child.pid!)
      // The search must find the key's points. This proves that it covers the memory that the proof used.
      const point = sectionOf(zkey, H_POINTS).subarray(0, 64)
      expect(memory.some((part) => part.includes(point))).toBe(true)
      expect(countSecrets(memory, 64n, 4)).toBe(0)
    } finally {
      child.kill()
    }
  },
)
