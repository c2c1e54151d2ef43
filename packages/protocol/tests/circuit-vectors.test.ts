import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  addressFromBytes,
  amount,
  assetHashOf,
  changeOf,
  changeOfShown,
  claimHash,
  innerCommitment,
  leafOfNote,
  nullifierOf,
  packOwner,
  paymentMessage,
  rootOfPath,
  settleInputs,
  unixSeconds,
  unpackOwner,
  type Claim,
  type Note,
  type SettleRequest,
} from '../index.ts'
import { poseidon } from './poseidon-of-tests.ts'

// The circuit's tools computed and proved these vectors with a separate implementation of the hashes. If this package
// computed other values, no note could be settled.
type Recorded = Record<
  | ('mint' | 'sender' | 'value' | 'deadline' | 'expiry' | 'nk')
  | ('assetHash' | 'claim' | 'inner' | 'leaf'),
  string
> & {
  readonly recipient?: string
  readonly amountOut?: string
  readonly secret?: string
  readonly owner?: Readonly<Record<'x' | 'y' | 'packed', string>>
}
interface Payment {
  readonly payee: string
  readonly message: string
}
type Input = Record<string, string> & { claim: string[]; path: string[] }
interface Vectors {
  readonly domain: string
  readonly notes: Record<'transfer' | 'balance', Recorded>
  readonly cases: readonly {
    readonly name: string
    readonly kind: SettleRequest['kind']
    readonly note: 'transfer' | 'balance'
    readonly payment?: Payment
    readonly input: Input
    readonly publicInputs: readonly string[]
  }[]
}

const file = new URL('../../../vectors/circuit.json', import.meta.url)
const vectors = JSON.parse(await readFile(file, 'utf8')) as Vectors
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const addressOf = (hex: string) => addressFromBytes(fromHex(hex))
const domain = fromHex(vectors.domain)

function claimOf({ recipient, amountOut, owner }: Recorded): Claim {
  if (owner !== undefined) {
    return { kind: 'balance', owner: { x: BigInt(owner.x), y: BigInt(owner.y) } }
  }
  return {
    kind: 'transfer',
    recipient: addressOf(recipient!),
    amountOut: amount(BigInt(amountOut!)),
  }
}

const noteOf = (recorded: Recorded): Note => ({
  nk: BigInt(recorded.nk),
  claim: claimOf(recorded),
  sender: addressOf(recorded.sender),
  mint: addressOf(recorded.mint),
  value: amount(BigInt(recorded.value)),
  deadline: unixSeconds(BigInt(recorded.deadline)),
  expiry: unixSeconds(BigInt(recorded.expiry)),
})

it("packs a balance's owner as circomlib does", () => {
  const recorded = vectors.notes.balance.owner!
  const owner = { x: BigInt(recorded.x), y: BigInt(recorded.y) }
  expect(packOwner(owner)).toEqual(fromHex(recorded.packed))
  expect(unpackOwner(fromHex(recorded.packed))).toEqual(owner)
})

describe.each(['transfer', 'balance'] as const)('the note of a %s', (kind) => {
  const recorded = vectors.notes[kind]
  const note = noteOf(recorded)

  it('has the hashes that the circuit computes', () => {
    expect(assetHashOf(poseidon, domain, note.mint)).toBe(BigInt(recorded.assetHash))
    expect(claimHash(poseidon, note.claim)).toBe(BigInt(recorded.claim))
    expect(innerCommitment(poseidon, note)).toBe(BigInt(recorded.inner))
    expect(leafOfNote(poseidon, domain, note)).toBe(BigInt(recorded.leaf))
  })

  it('has a different leaf if any part changes', () => {
    const { claim } = note
    const claims: Claim[] =
      claim.kind === 'transfer'
        ? [
            { ...claim, recipient: note.mint },
            { ...claim, amountOut: amount(claim.amountOut + 1n) },
          ]
        : [{ kind: 'balance', owner: { x: claim.owner.y, y: claim.owner.x } }]
    const changes: Partial<Note>[] = [
      { nk: note.nk + 1n },
      { sender: note.mint },
      { mint: note.sender },
      { value: amount(note.value + 1n) },
      { deadline: unixSeconds(note.deadline + 600n) },
      { expiry: unixSeconds(note.expiry + 1n) },
      ...claims.map((other) => ({ claim: other })),
    ]
    const leaves = changes.map((change) => leafOfNote(poseidon, domain, { ...note, ...change }))
    const other = leafOfNote(poseidon, domain.with(31, domain[31]! ^ 1), note)
    const all = new Set([...leaves, other, BigInt(recorded.leaf)])
    expect(all.size).toBe(changes.length + 2)
  })
})

it('the vectors contain settlements of all kinds', () => {
  const kinds = vectors.cases.map(({ kind, note }) => `${kind} ${note}`)
  const expected = ['deliver transfer', 'refund transfer', 'pay balance', 'refund balance']
  expect(new Set(kinds)).toEqual(new Set(expected))
})

describe.each(vectors.cases)('$name', ({ kind, note: of, payment, input, publicInputs }) => {
  const note = noteOf(vectors.notes[of])
  const number = (name: string) => BigInt(input[name]!)
  const path = input.path.map(BigInt)
  const leafIndex = number('leafIndex')
  const nullifier = nullifierOf(poseidon, note.nk, leafIndex)
  const time = unixSeconds(number('time'))
  const paid = {
    ...{ payout: amount(number('payout')), fee: amount(number('fee')) },
    validUntil: unixSeconds(number('validUntil')),
  }
  const request: SettleRequest =
    kind === 'pay'
      ? {
          ...{ kind, time, ...paid, payee: addressOf(payment!.payee) },
          changeNk: number('changeNk'),
          signature: { S: number('S'), R8: { x: number('R8x'), y: number('R8y') } },
        }
      : { kind, time }

  it('has the root that its path gives, and the nullifier of its note and index', () => {
    const leaf = BigInt(vectors.notes[of].leaf)
    expect(rootOfPath(poseidon, leaf, leafIndex, path)).toBe(number('root'))
    expect(nullifier).toBe(number('nullifier'))
  })

  it("has every input of the circuit, and the public inputs in the circuit's order", () => {
    const made = settleInputs(poseidon, domain, note, { leafIndex, path }, request)
    const decimals = Object.fromEntries(
      Object.entries(made).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(String) : String(value),
      ]),
    )
    expect(decimals).toEqual(input)
    const { root, assetHash, payout, fee, payeeHi, payeeLo, refund, changeLeaf } = made
    const publicOnes = [root, made.nullifier, assetHash, payout, fee, payeeHi, payeeLo]
    expect([...publicOnes, made.time, refund, changeLeaf].map(String)).toEqual(publicInputs)
  })

  it('gives the change note of a payment, even from the facts that the chain shows', () => {
    if (kind !== 'pay') return
    const secret = BigInt(vectors.notes.balance.secret!)
    const rest = { nullifier, secret, change: amount(number('change')) }
    const left = changeOf(poseidon, note, { ...rest, validUntil: paid.validUntil })
    expect(left.deadline).toBe(number('changeDeadline'))
    const changeLeaf = leafOfNote(poseidon, domain, left)
    expect(changeLeaf).toBe(number('changeLeaf'))
    expect(changeOfShown(poseidon, domain, note, rest, { time, changeLeaf })).toEqual(left)
  })

  it("gives the change note of a delivery or refund, whose `nk` is derived from the note's `nk`", () => {
    if (kind === 'pay') return
    const rest = { nullifier, secret: note.nk, change: amount(0n), validUntil: undefined }
    const left = changeOf(poseidon, note, rest)
    expect(leafOfNote(poseidon, domain, left)).toBe(number('changeLeaf'))
  })

  it('gives the message that the owner signed', () => {
    if (payment === undefined) return
    const signed = { nullifier, payee: addressOf(payment.payee), ...paid }
    const message = paymentMessage(poseidon, { ...signed, changeLeaf: number('changeLeaf') })
    expect(message).toBe(BigInt(payment.message))
  })
})
