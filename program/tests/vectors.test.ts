import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  addressFromBytes,
  amount,
  emptySubtrees,
  fieldFromBytes,
  fieldToBytes,
  hashAddress,
  leafOf,
  MerkleTree,
  termsDigest,
  unixSeconds,
} from '@sotto/protocol'
import { poseidon } from './fixtures/poseidon.ts'

const FILE = fileURLToPath(new URL('../../vectors/program.json', import.meta.url))

interface Vectors {
  readonly addressHashes: readonly { readonly address: string; readonly hash: string }[]
  readonly leaves: readonly Record<LeafField, string>[]
  readonly terms: readonly Record<TermsField, string>[]
  readonly emptySubtrees: readonly string[]
  readonly tree: {
    readonly leaves: readonly string[]
    readonly roots: readonly { readonly count: number; readonly root: string }[]
  }
}
type LeafField = 'mint' | 'amountOut' | 'feeBack' | 'expiry' | 'sender' | 'inner' | 'leaf'
type TermsField =
  | 'program'
  | 'domain'
  | 'orderId'
  | 'sender'
  | 'sourceMint'
  | 'destinationMint'
  | 'amountIn'
  | 'amountOut'
  | 'fee'
  | 'partnerFee'
  | 'partner'
  | 'deadline'
  | 'validUntil'
  | 'expiry'
  | 'inner'
  | 'payload'
  | 'digest'

const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const address = (value: string) => addressFromBytes(bytes(value))
const field = (value: string) => fieldFromBytes(bytes(value))

test('addresses and leaves hash as the vectors say', () => {
  for (const { address: text, hash } of vectors.addressHashes) {
    expect(hex(fieldToBytes(hashAddress(poseidon, address(text))))).toBe(hash)
  }
  for (const vector of vectors.leaves) {
    const leaf = leafOf(poseidon, {
      mint: address(vector.mint),
      amountOut: BigInt(vector.amountOut),
      feeBack: BigInt(vector.feeBack),
      expiry: BigInt(vector.expiry),
      sender: address(vector.sender),
      inner: field(vector.inner),
    })
    expect(hex(fieldToBytes(leaf))).toBe(vector.leaf)
  }
})

test('terms hash as the vectors say', () => {
  for (const vector of vectors.terms) {
    const partnerFee = amount(BigInt(vector.partnerFee))
    const digest = termsDigest(
      { program: address(vector.program), domain: bytes(vector.domain) },
      {
        orderId: bytes(vector.orderId),
        sender: address(vector.sender),
        sourceMint: address(vector.sourceMint),
        destinationMint: address(vector.destinationMint),
        amountIn: amount(BigInt(vector.amountIn)),
        amountOut: amount(BigInt(vector.amountOut)),
        fee: amount(BigInt(vector.fee)),
        partnerFee,
        partnerAccount: partnerFee > 0n ? address(vector.partner) : undefined,
        deadline: unixSeconds(BigInt(vector.deadline)),
        validUntil: unixSeconds(BigInt(vector.validUntil)),
        expiry: unixSeconds(BigInt(vector.expiry)),
        inner: field(vector.inner),
        payload: bytes(vector.payload),
      },
    )
    expect(hex(digest)).toBe(vector.digest)
  }
})

test('empty subtrees and roots are the ones of the vectors', () => {
  const subtrees = emptySubtrees(poseidon).map((value) => hex(fieldToBytes(value)))
  expect(subtrees).toEqual(vectors.emptySubtrees)
  for (const { count, root } of vectors.tree.roots) {
    const tree = new MerkleTree(poseidon)
    for (const leaf of vectors.tree.leaves.slice(0, count)) tree.append(field(leaf))
    expect(hex(fieldToBytes(tree.root))).toBe(root)
  }
})
