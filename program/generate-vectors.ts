/**
 * Writes vectors/program.json: hashes of notes, terms digests and tree roots. This script computes them byte by byte as
 * docs/protocol.md defines them. It doesn't use the packages that the tests compare with these vectors. Run it with
 * tsx. With `--check`, it writes nothing and only compares.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'
import { poseidon5 } from 'poseidon-lite/poseidon5'

const TREE_LEVELS = 13
const sha256 = (...parts: Uint8Array[]) =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const text = (value: string) => new TextEncoder().encode(value)
/** Bytes that look random, and that are the same on every machine. */
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
const senderHash = (address: Uint8Array) => poseidon2([...halves(address)])
const assetHash = (domain: bigint, mint: Uint8Array) => poseidon3([domain, ...halves(mint)])

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
  /** The amounts `amountIn`, `value` and `partnerFee`. */
  readonly amounts: readonly [bigint, bigint, bigint]
  /** The times `deadline` and `validUntil`. */
  readonly times: readonly [bigint, bigint]
}

function termsVector({ label, sourceMint, destinationMint, amounts, times }: Wish) {
  const own = (name: string, size = 32) => bytesOf(`${label} ${name}`, size)
  const terms = {
    program: own('program'),
    domain: field(integer(own('domain', 31))),
    orderId: own('order', 16),
    sender: own('sender'),
    sourceMint,
    destinationMint,
    partner: amounts[2] > 0n ? own('partner') : ZERO_ADDRESS,
    inner: field(poseidon2([integer(own('inner', 31)), 1n])),
    payload: Buffer.concat([own('payload'), own('payload, continued'), own('payload, end', 1)]),
  }
  const digest = sha256(
    text('sotto/deposit/v2'),
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
  const [amountIn, value, partnerFee] = amounts.map(String)
  const [deadline, validUntil] = times.map(String)
  const numbers = { amountIn, value, partnerFee, deadline, validUntil }
  return { label, ...numbers, ...(Object.fromEntries(bytes) as Record<string, string>) }
}

/**
 * The claim of a note. A transfer's claim has a recipient and an amount. A balance's claim has the coordinates of its
 * owner.
 */
type ClaimWish =
  | { readonly recipient: Uint8Array; readonly amountOut: bigint }
  | { readonly ownerX: bigint; readonly ownerY: bigint }

const claimHash = (claim: ClaimWish) =>
  'recipient' in claim
    ? poseidon4([1n, ...halves(claim.recipient), claim.amountOut])
    : poseidon4([2n, claim.ownerX, claim.ownerY, 0n])

const claimVector = (claim: ClaimWish) =>
  'recipient' in claim
    ? { recipient: hex(claim.recipient), amountOut: claim.amountOut.toString() }
    : { ownerX: hex(field(claim.ownerX)), ownerY: hex(field(claim.ownerY)) }

interface NoteWish {
  readonly label: string
  readonly mint: Uint8Array
  readonly value: bigint
  readonly deadline: bigint
  readonly expiry: bigint
  readonly claim: ClaimWish
  readonly leafIndex: bigint
}

function noteVector({ label, mint, value, deadline, expiry, claim, leafIndex }: NoteWish) {
  const domain = integer(bytesOf(`${label} domain`, 31))
  const nk = integer(bytesOf(`${label} nk`, 31))
  const sender = bytesOf(`${label} sender`)
  const inner = poseidon3([nk, claimHash(claim), expiry])
  const leaf = poseidon5([assetHash(domain, mint), value, deadline, senderHash(sender), inner])
  const nullifier = poseidon2([nk, leafIndex])
  const elements = { domain, nk, claimHash: claimHash(claim), inner, leaf, nullifier }
  // A transfer's secret is its nk. A balance's secret can be any number, so this vector uses the nk for a balance too.
  const changeNk = poseidon2([nk, nullifier])
  return {
    label,
    mint: hex(mint),
    sender: hex(sender),
    claim: claimVector(claim),
    value: value.toString(),
    deadline: deadline.toString(),
    expiry: expiry.toString(),
    leafIndex: leafIndex.toString(),
    ...Object.fromEntries(
      Object.entries({ ...elements, changeNk }).map(([name, element]) => [
        name,
        hex(field(element)),
      ]),
    ),
  }
}

function emptySubtrees(): bigint[] {
  const subtrees = [0n]
  for (let level = 0; level < TREE_LEVELS; level += 1) {
    const below = subtrees[level] ?? 0n
    subtrees.push(poseidon4([below, below, below, below]))
  }
  return subtrees
}

/** The root over `leaves`, computed from the definition: every level is hashed completely. */
function rootOver(leaves: readonly bigint[], empty: readonly bigint[]): bigint {
  let nodes = [...leaves]
  for (let level = 0; level < TREE_LEVELS; level += 1) {
    const above: bigint[] = []
    const filler = empty[level] ?? 0n
    for (let first = 0; first < nodes.length; first += 4) {
      above.push(poseidon4([0, 1, 2, 3].map((place) => nodes[first + place] ?? filler)))
    }
    nodes = above
  }
  return nodes[0] ?? 0n
}

const U64_MAX = 2n ** 64n - 1n
const empty = emptySubtrees()
const leaves = Array.from({ length: 22 }, (_, n) => poseidon2([BigInt(n + 1), 0n]))
const token = bytesOf('token')
/** A balance owner's key: the base point of BabyJubJub. */
const OWNER = {
  ownerX: 5299619240641551281634865583518297030282874472190772894086521144482721001553n,
  ownerY: 16950150798460657717958625567821834550301663161624707787222815936182638968203n,
}

const vectors = {
  about: 'Generated by program/generate-vectors.ts. Bytes and field elements are hexadecimal.',
  senderHashes: [ZERO_ADDRESS, HIGH_ADDRESS, NATIVE_MINT, token].map((address) => ({
    address: hex(address),
    hash: hex(field(senderHash(address))),
  })),
  assetHashes: [ZERO_ADDRESS, HIGH_ADDRESS, NATIVE_MINT, token].map((mint) => {
    const domain = integer(bytesOf('domain', 31))
    return {
      domain: hex(field(domain)),
      mint: hex(mint),
      hash: hex(field(assetHash(domain, mint))),
    }
  }),
  notes: [
    noteVector({
      label: 'transfer',
      mint: NATIVE_MINT,
      value: 1_000_000_000n,
      deadline: 1_800_000_000n,
      expiry: 1_800_000_600n,
      claim: { recipient: bytesOf('recipient'), amountOut: 995_000_000n },
      leafIndex: 0n,
    }),
    noteVector({
      label: 'balance',
      mint: token,
      value: U64_MAX,
      deadline: 600n,
      expiry: 2_596_200n,
      claim: OWNER,
      leafIndex: 67_108_863n,
    }),
  ],
  terms: [
    termsVector({
      label: 'native send',
      sourceMint: NATIVE_MINT,
      destinationMint: NATIVE_MINT,
      amounts: [1_005_000_000n, 1_005_000_000n, 0n],
      times: [1_800_001_800n, 1_800_001_800n],
    }),
    termsVector({
      label: 'swap with a partner fee',
      sourceMint: token,
      destinationMint: NATIVE_MINT,
      amounts: [U64_MAX, 890_880n, 256n],
      times: [1_800_001_800n, 1_800_000_090n],
    }),
  ],
  emptySubtrees: empty.map((value) => hex(field(value))),
  tree: {
    leaves: leaves.map((value) => hex(field(value))),
    roots: [1, 2, 3, 4, 5, 16, 17, 22].map((count) => ({
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
