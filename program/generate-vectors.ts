/**
 * Writes vectors/program.json: hashes, terms digests and tree roots, computed here byte by byte from
 * docs/protocol.md, without the packages that are tested against them. Run with tsx; `--check` only compares.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon6 } from 'poseidon-lite/poseidon6'

const TREE_DEPTH = 26
const sha256 = (...parts: Uint8Array[]) =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const text = (value: string) => new TextEncoder().encode(value)
/** Bytes that look random and are the same on every machine. */
const bytesOf = (label: string, size = 32) => sha256(text(label)).subarray(0, size)

function littleEndian64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

const field = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const integer = (bytes: Uint8Array) => BigInt(`0x${hex(bytes)}`)
const halves = (address: Uint8Array) =>
  [integer(address.subarray(0, 16)), integer(address.subarray(16))] as const
const hashAddress = (address: Uint8Array) => poseidon2([...halves(address)])

const NATIVE_MINT = Buffer.from(
  '069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000001',
  'hex',
)
const ZERO_ADDRESS = new Uint8Array(32)
const HIGH_ADDRESS = new Uint8Array(32).fill(0xff)

interface Wish {
  readonly label: string
  readonly sourceMint: Uint8Array
  readonly destinationMint: Uint8Array
  /** amountIn, amountOut, fee, partnerFee. */
  readonly amounts: readonly [bigint, bigint, bigint, bigint]
  /** deadline, validUntil, expiry. */
  readonly times: readonly [bigint, bigint, bigint]
}

function termsVector({ label, sourceMint, destinationMint, amounts, times }: Wish) {
  const own = (name: string, size = 32) => bytesOf(`${label} ${name}`, size)
  const terms = {
    program: own('program'),
    domain: own('domain'),
    orderId: own('order', 16),
    sender: own('sender'),
    sourceMint,
    destinationMint,
    partner: amounts[3] > 0n ? own('partner') : ZERO_ADDRESS,
    inner: field(poseidon3([integer(own('nk', 31)), ...halves(own('recipient'))])),
    payload: Buffer.concat([own('payload'), own('payload, continued', 20)]),
  }
  const digest = sha256(
    text('sotto/deposit/v1'),
    terms.program,
    terms.domain,
    terms.orderId,
    terms.sender,
    terms.sourceMint,
    terms.destinationMint,
    ...amounts.map(littleEndian64),
    terms.partner,
    ...times.map(littleEndian64),
    terms.inner,
    sha256(terms.payload),
  )
  const bytes = Object.entries({ ...terms, digest }).map(([name, value]) => [name, hex(value)])
  const [amountIn, amountOut, fee, partnerFee] = amounts.map(String)
  const [deadline, validUntil, expiry] = times.map(String)
  const numbers = { amountIn, amountOut, fee, partnerFee, deadline, validUntil, expiry }
  return { label, ...numbers, ...(Object.fromEntries(bytes) as Record<string, string>) }
}

function leafVector(label: string, mint: Uint8Array, amounts: readonly [bigint, bigint, bigint]) {
  const [amountOut, feeBack, expiry] = amounts
  const sender = bytesOf(`${label} sender`)
  const inner = poseidon2([integer(bytesOf(`${label} inner`, 31)), 1n])
  const leaf = poseidon6([hashAddress(mint), ...amounts, hashAddress(sender), inner])
  return {
    label,
    mint: hex(mint),
    amountOut: amountOut.toString(),
    feeBack: feeBack.toString(),
    expiry: expiry.toString(),
    sender: hex(sender),
    inner: hex(field(inner)),
    leaf: hex(field(leaf)),
  }
}

function emptySubtrees(): bigint[] {
  const subtrees = [0n]
  for (let level = 0; level < TREE_DEPTH; level += 1) {
    const below = subtrees[level] ?? 0n
    subtrees.push(poseidon2([below, below]))
  }
  return subtrees
}

/** The root over `leaves` by its definition: every level hashed whole. */
function rootOver(leaves: readonly bigint[], empty: readonly bigint[]): bigint {
  let nodes = [...leaves]
  for (let level = 0; level < TREE_DEPTH; level += 1) {
    const above: bigint[] = []
    for (let left = 0; left < nodes.length; left += 2) {
      above.push(poseidon2([nodes[left] ?? 0n, nodes[left + 1] ?? empty[level] ?? 0n]))
    }
    nodes = above
  }
  return nodes[0] ?? 0n
}

const U64_MAX = 2n ** 64n - 1n
const empty = emptySubtrees()
const leaves = [1, 2, 3, 4, 5].map((n) => poseidon2([BigInt(n), 0n]))
const token = bytesOf('token')

const vectors = {
  addressHashes: [ZERO_ADDRESS, HIGH_ADDRESS, NATIVE_MINT, token].map((address) => ({
    address: hex(address),
    hash: hex(field(hashAddress(address))),
  })),
  leaves: [
    leafVector('send', NATIVE_MINT, [1_000_000_000n, 5_000_000n, 1_800_000_600n]),
    leafVector('swap', token, [U64_MAX, 0n, 600n]),
  ],
  terms: [
    termsVector({
      label: 'native send',
      sourceMint: NATIVE_MINT,
      destinationMint: NATIVE_MINT,
      amounts: [1_005_000_000n, 1_000_000_000n, 5_000_000n, 0n],
      times: [1_800_001_800n, 1_800_001_800n, 1_800_084_600n],
    }),
    termsVector({
      label: 'swap with a partner fee',
      sourceMint: token,
      destinationMint: NATIVE_MINT,
      amounts: [U64_MAX, 890_880n, 1n, 256n],
      times: [1_800_001_801n, 1_800_000_090n, 1_800_084_600n],
    }),
  ],
  emptySubtrees: empty.map((value) => hex(field(value))),
  tree: {
    leaves: leaves.map((value) => hex(field(value))),
    roots: [1, 2, 3, 5].map((count) => ({
      count,
      root: hex(field(rootOver(leaves.slice(0, count), empty))),
    })),
  },
}

const file = fileURLToPath(new URL('../vectors/program.json', import.meta.url))
const rendered = `${JSON.stringify(vectors, null, 2)}\n`
if (!process.argv.includes('--check')) {
  writeFileSync(file, rendered)
} else if (readFileSync(file, 'utf8') !== rendered) {
  throw new Error('vectors/program.json differs: run `npx tsx program/generate-vectors.ts`')
}
