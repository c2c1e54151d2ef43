import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  addressFromBytes,
  amount,
  assetHashOf,
  changeNkOf,
  claimHash,
  emptySubtrees,
  fieldFromBytes,
  fieldToBytes,
  hashAddress,
  innerCommitment,
  leafOf,
  leafOfNote,
  MerkleTree,
  nullifierOf,
  termsDigest,
  unixSeconds,
  type Claim,
  type Note,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'

const FILE = fileURLToPath(new URL('../../vectors/program.json', import.meta.url))

type Texts<Name extends string> = Readonly<Record<Name, string>>
type ClaimVector = Texts<'recipient' | 'amountOut'> | Texts<'ownerX' | 'ownerY'>
type NoteField = 'mint' | 'sender' | 'value' | 'deadline' | 'expiry' | 'leafIndex' | 'domain'
type HashField = 'nk' | 'claimHash' | 'inner' | 'leaf' | 'nullifier' | 'changeNk'
type NoteVector = Texts<NoteField | HashField> & { readonly claim: ClaimVector }
type TermsField =
  | 'program'
  | 'domain'
  | 'orderId'
  | 'sender'
  | 'sourceMint'
  | 'destinationMint'
  | 'amountIn'
  | 'value'
  | 'partnerFee'
  | 'partner'
  | 'deadline'
  | 'validUntil'
  | 'inner'
  | 'payload'
  | 'digest'
interface Vectors {
  readonly senderHashes: readonly Texts<'address' | 'hash'>[]
  readonly assetHashes: readonly Texts<'domain' | 'mint' | 'hash'>[]
  readonly notes: readonly NoteVector[]
  readonly terms: readonly Texts<TermsField>[]
  readonly emptySubtrees: readonly string[]
  readonly tree: {
    readonly leaves: readonly string[]
    readonly roots: readonly { readonly count: number; readonly root: string }[]
  }
}

const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const hexOf = (value: bigint) => hex(fieldToBytes(value))
const address = (value: string) => addressFromBytes(bytes(value))
const field = (value: string) => fieldFromBytes(bytes(value))

const claimOf = (claim: ClaimVector): Claim =>
  'recipient' in claim
    ? {
        kind: 'transfer',
        recipient: address(claim.recipient),
        amountOut: amount(BigInt(claim.amountOut)),
      }
    : { kind: 'balance', owner: { x: field(claim.ownerX), y: field(claim.ownerY) } }

const noteOf = (vector: NoteVector): Note => ({
  nk: field(vector.nk),
  claim: claimOf(vector.claim),
  sender: address(vector.sender),
  mint: address(vector.mint),
  value: amount(BigInt(vector.value)),
  deadline: unixSeconds(BigInt(vector.deadline)),
  expiry: unixSeconds(BigInt(vector.expiry)),
})

test('hashes of senders and assets match the vectors', () => {
  for (const { address: text, hash } of vectors.senderHashes) {
    expect(hexOf(hashAddress(poseidon, address(text)))).toBe(hash)
  }
  for (const { domain, mint, hash } of vectors.assetHashes) {
    expect(hexOf(assetHashOf(poseidon, bytes(domain), address(mint)))).toBe(hash)
  }
})

test('hashes of both kinds of note match the vectors', () => {
  expect(new Set(vectors.notes.map(({ claim }) => 'recipient' in claim)).size).toBe(2)
  for (const vector of vectors.notes) {
    const note = noteOf(vector)
    const domain = bytes(vector.domain)
    const nullifier = nullifierOf(poseidon, note.nk, BigInt(vector.leafIndex))
    expect({
      claimHash: hexOf(claimHash(poseidon, note.claim)),
      inner: hexOf(innerCommitment(poseidon, note)),
      leaf: hexOf(leafOfNote(poseidon, domain, note)),
      nullifier: hexOf(nullifier),
      changeNk: hexOf(changeNkOf(poseidon, note.nk, nullifier)),
    }).toEqual({
      claimHash: vector.claimHash,
      inner: vector.inner,
      leaf: vector.leaf,
      nullifier: vector.nullifier,
      changeNk: vector.changeNk,
    })
    // This value is all that the program sees of the note's hidden members.
    const inner = field(vector.inner)
    expect(hexOf(leafOf(poseidon, domain, { ...note, inner }))).toBe(vector.leaf)
  }
})

test('hashes of terms match the vectors', () => {
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
        value: amount(BigInt(vector.value)),
        partnerFee,
        partnerAccount: partnerFee > 0n ? address(vector.partner) : undefined,
        deadline: unixSeconds(BigInt(vector.deadline)),
        validUntil: unixSeconds(BigInt(vector.validUntil)),
        inner: field(vector.inner),
        payload: bytes(vector.payload),
      },
    )
    expect(hex(digest)).toBe(vector.digest)
  }
})

test('empty subtrees and roots match the vectors', () => {
  expect(emptySubtrees(poseidon).map(hexOf)).toEqual(vectors.emptySubtrees)
  for (const { count, root } of vectors.tree.roots) {
    const tree = new MerkleTree(poseidon)
    for (const leaf of vectors.tree.leaves.slice(0, count)) tree.append(field(leaf))
    expect(hexOf(tree.root)).toBe(root)
  }
})
