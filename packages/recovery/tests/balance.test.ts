import { generateKeyPairSigner, type Address } from '@solana/kit'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  amount,
  decodeTicket,
  encodeTicket,
  FIELD_MODULUS,
  MAX_LIFE_SECONDS,
  NATIVE_MINT,
  nullifierAddress,
  nullifierOf,
  ownerOf,
  packOwner,
  REFUND_WINDOW_SECONDS,
  unpackOwner,
  type Ticket,
} from '@sotto/protocol'
import type * as Eddsa from '@zk-kit/eddsa-poseidon'
import fc from 'fast-check'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { closeNullifier } from '../../../program/tests/fixtures/close-nullifier.ts'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { newestOfBalance, payFromBalance, settleNote, type Prove } from '../index.ts'
import { forgetful, liteNode } from './lite-node.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

const { packPublicKey } = createRequire(import.meta.url)('@zk-kit/eddsa-poseidon') as typeof Eddsa

const VALUE = 1_000_000_000n
const SECRET = 4_711n

let prover: SharedProver
let fixture: PoolFixture
let node: ReturnType<typeof liteNode>
let first: Ticket
let proofs = 0
let lastProof: Uint8Array

const prove: Prove = async (inputs) => {
  proofs += 1
  lastProof = (await prover.prove(inputs)).bytes
  return lastProof
}

/** Deposits a note, and returns its ticket as the owner would have saved it. */
async function deposit(kind: 'balance' | 'transfer', life?: bigint): Promise<Ticket> {
  const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, fee: 5_000_000n }
  const lives = life === undefined ? {} : { life }
  const order = await draftOrder(fixture, kind === 'balance' ? { ...wish, ...lives, owner } : wish)
  expectLanded(await sendDeposit(fixture, order))
  const secret = kind === 'balance' ? { secret: SECRET } : {}
  const { orderId } = order.terms
  const ticket = { program: fixture.chain.program, orderId, note: order.note, ...secret }
  return decodeTicket(encodeTicket(ticket), ownerOf)
}

const wallet = async () => (await generateKeyPairSigner()).address
const use = async (ticket: Ticket) => ({
  ...{ rpc: node.rpc, poseidon, prove, ticket, isLocalChain: true },
  payer: await fixture.chain.wallet(),
})
const pay = async (ticket: Ticket, payee: Address, payout: bigint) =>
  payFromBalance({ ...(await use(ticket)), payee, payout: amount(payout) })

beforeAll(async () => {
  prover = await sharedProver()
  fixture = await startPool()
  node = liteNode(fixture.chain)
  first = await deposit('balance')
})

it('packs public keys exactly as the signing library does', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: FIELD_MODULUS - 1n }), (secret) => {
      const { x, y } = ownerOf(secret)
      const packed = packOwner({ x, y })
      const text = Buffer.from(packed).reverse().toString('hex')
      expect(BigInt(`0x${text}`)).toBe(packPublicKey([x, y]))
      expect(unpackOwner(packed)).toEqual({ x, y })
    }),
    { numRuns: 20 },
  )
})

describe.sequential('a balance, with only its ticket', () => {
  let second: Ticket

  it('pays without a fee, and the rest gets a new ticket', async () => {
    const payee = await wallet()
    const paid = await pay(first, payee, 300_000_000n)
    second = decodeTicket(encodeTicket(paid.ticket), ownerOf)
    expect(fixture.chain.balance(payee)).toBe(300_000_000n)
    expect(second.note.value).toBe(VALUE + 5_000_000n - 300_000_000n)
    expect(second.note).toMatchObject({ sender: first.note.sender, expiry: first.note.expiry })
  })

  it('finds its newest note from the first ticket, and pays from it', async () => {
    const located = await newestOfBalance(await use(first))
    expect(located.ticket).toEqual(second)
    const payee = await wallet()
    await pay(first, payee, 200_000_000n)
    expect(fixture.chain.balance(payee)).toBe(200_000_000n)
  })

  it('makes a payment only once if the call is repeated', async () => {
    const payee = await wallet()
    const request = { ...(await use(second)), payee, payout: amount(1_000_000n) }
    const { signature } = await payFromBalance(request)
    await expect(payFromBalance(request)).rejects.toMatchObject({
      code: 'PAID_BEFORE',
      paid: { kind: 'paid', payee, signature },
    })
    expect(fixture.chain.balance(payee)).toBe(1_000_000n)
    const { signature: other } = await payFromBalance({ ...request, except: [signature] })
    const third = payFromBalance({ ...request, except: [signature, signature] })
    await expect(third).rejects.toMatchObject({ paid: { signature: other } })
    await payFromBalance({ ...request, again: true })
    expect(fixture.chain.balance(payee)).toBe(3_000_000n)
  })

  it('refuses a payment that exceeds its rest, and a delivery', async () => {
    const [held, payee] = [VALUE + 5_000_000n - 503_000_000n, await wallet()]
    const refusal = { code: 'BALANCE_TOO_SMALL', message: expect.stringContaining(`1 to ${held} `) }
    await expect(pay(second, payee, held + 1n)).rejects.toMatchObject(refusal)
    await expect(pay(second, payee, 0n)).rejects.toMatchObject(refusal)
    const delivered = settleNote({ ...(await use(second)), kind: 'deliver' })
    await expect(delivered).rejects.toMatchObject({ code: 'OTHER_KIND' })
  })

  it('ends later after a payment on another day', async () => {
    const { chain } = fixture
    const lasting = await deposit('balance', 172_800n)
    const { note } = lasting
    chain.setTime(note.deadline + 100_000n)
    const { ticket } = await pay(lasting, await wallet(), 100_000_000n)
    expect(ticket.note.expiry).toBe((chain.time / 86_400n) * 86_400n + 172_800n)
    chain.setTime(note.expiry + 600n)
    const located = await newestOfBalance(await use(lasting))
    expect(located.ticket.note).toEqual(ticket.note)
    const early = settleNote({ ...(await use(ticket)), kind: 'refund' })
    await expect(early).rejects.toMatchObject({ code: 'TOO_EARLY' })
    const { ticket: last } = await pay(lasting, await wallet(), 100_000_000n)
    expect(last.note.value).toBe(VALUE + 5_000_000n - 200_000_000n)
  })

  it('is refunded to its sender once it has expired', async () => {
    const { chain } = fixture
    first = await deposit('balance')
    const { note } = first
    await pay(first, await wallet(), 502_000_000n)
    const early = settleNote({ ...(await use(first)), kind: 'refund' })
    await expect(early).rejects.toMatchObject({ code: 'TOO_EARLY' })
    chain.setTime(note.expiry + 600n)
    await expect(pay(first, await wallet(), 1n)).rejects.toMatchObject({ code: 'TOO_LATE' })
    const before = chain.balance(note.sender)
    await settleNote({ ...(await use(first)), kind: 'refund' })
    expect(chain.balance(note.sender) - before).toBe(VALUE + 5_000_000n - 502_000_000n)
    await expect(pay(first, await wallet(), 1n)).rejects.toMatchObject({
      code: 'ALREADY_SETTLED',
      paid: { kind: 'refunded', payee: note.sender },
    })
  })
})

describe.sequential('a transfer, with only its ticket', () => {
  let ticket: Ticket

  it("is delivered even if someone sent lamports to its Nullifier's address", async () => {
    ticket = await deposit('transfer')
    const { chain } = fixture
    const { note } = ticket
    const nullifier = nullifierOf(poseidon, note.nk, 6n)
    chain.fund(await nullifierAddress(chain.program, nullifier), 1_000_000n)
    await settleNote({ ...(await use(ticket)), kind: 'deliver' })
    const { claim } = note
    if (claim.kind !== 'transfer') throw new Error('a transfer was deposited')
    expect(chain.balance(claim.recipient) - 100_000_000_000n).toBe(VALUE)
    await expect(settleNote({ ...(await use(ticket)), kind: 'refund' })).rejects.toMatchObject({
      code: 'ALREADY_SETTLED',
      paid: { kind: 'delivered', payee: claim.recipient, signature: node.sent.at(-1)?.signature },
    })
  })

  it('pays only its recipient', async () => {
    const paid = pay(ticket, await wallet(), 1n)
    await expect(paid).rejects.toMatchObject({ code: 'OTHER_KIND' })
  })

  it('is proved against the last root of an hour if the newest root is overwritten', async () => {
    const { chain } = fixture
    const late = await deposit('transfer')
    // No leaf is appended in the hour between the two deposits, so the first deposit's hour keeps its last root.
    chain.setTime(chain.time + 7_200n)
    await deposit('transfer')
    // The first proof is replaced by an earlier proof, which fails like a proof whose root was overwritten.
    const [stale, before] = [lastProof, proofs]
    const overtaken: Prove = async (inputs) => {
      const proof = await prove(inputs)
      return proofs === before + 1 ? stale : proof
    }
    await settleNote({ ...(await use(late)), prove: overtaken, kind: 'refund' })
    expect(proofs).toBe(before + 2)
    expect(node.settled().at(-1)?.root.kind).toBe('checkpoint')
  })
})

describe.sequential("a balance's ticket without the owner's secret", () => {
  /** The ticket that the service has. The service never learns the secret. */
  const withoutSecret = ({ secret: _, ...ticket }: Ticket) => decodeTicket(encodeTicket(ticket))
  let paidFrom: Ticket
  let untouched: Ticket

  it("cannot pay, and cannot refund before the balance's expiry", async () => {
    paidFrom = await deposit('balance')
    untouched = await deposit('balance')
    const ticket = withoutSecret(untouched)
    expect(ticket.note).toEqual(untouched.note)
    await expect(pay(ticket, await wallet(), 1n)).rejects.toMatchObject({
      ...{ code: 'OTHER_KIND', message: expect.stringContaining("lacks the owner's secret") },
    })
    const early = settleNote({ ...(await use(ticket)), kind: 'refund' })
    await expect(early).rejects.toMatchObject({ code: 'TOO_EARLY' })
  })

  it("refunds the balance after its expiry if the ticket's note is unspent", async () => {
    const { chain } = fixture
    await pay(paidFrom, await wallet(), 300_000_000n)
    const { sender, value, expiry } = untouched.note
    chain.setTime(expiry + 600n)
    const before = chain.balance(sender)
    const ticket = withoutSecret(untouched)
    await settleNote({ ...(await use(ticket)), kind: 'refund' })
    expect(chain.balance(sender) - before).toBe(value)
    const old = settleNote({ ...(await use(withoutSecret(paidFrom))), kind: 'refund' })
    await expect(old).rejects.toMatchObject({
      ...{ code: 'ALREADY_SETTLED', message: expect.stringContaining('use a newer ticket') },
      paid: { kind: 'paid' },
    })
  })
})

describe.sequential('Nullifiers that are closed', () => {
  let lasting: Ticket
  let newest: Ticket

  it('do not prevent the first ticket from leading to the newest note', async () => {
    const { chain } = fixture
    lasting = await deposit('balance', MAX_LIFE_SECONDS)
    await pay(lasting, await wallet(), 100_000_000n)
    const { nullifier } = node.settled().at(-1)!
    for (const payout of [200_000_000n, 300_000_000n]) {
      chain.setTime(chain.time + MAX_LIFE_SECONDS - 172_800n)
      newest = (await pay(lasting, await wallet(), payout)).ticket
    }
    await closeNullifier(chain, nullifier)
    expect(chain.time > lasting.note.expiry + REFUND_WINDOW_SECONDS).toBe(true)
    const located = await newestOfBalance(await use(lasting))
    expect(located.ticket).toEqual(newest)
    expect(located.payments).toHaveLength(3)
    newest = (await pay(lasting, await wallet(), 50_000_000n)).ticket
  })

  it('cause an error if the node lacks the payments', async () => {
    const asked = { ...(await use(lasting)), kind: 'refund', rpc: forgetful(node.rpc) } as const
    for (const answer of [newestOfBalance(asked), settleNote(asked)]) {
      await expect(answer).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
    }
    // Without the owner's secret, no one can follow the payments. But the first payment is still visible.
    const ticket = decodeTicket(encodeTicket({ ...lasting, secret: undefined }))
    const old = settleNote({ ...(await use(ticket)), kind: 'refund' })
    await expect(old).rejects.toMatchObject({ code: 'ALREADY_SETTLED', paid: { kind: 'paid' } })
  })

  it('do not make a refund look like a payment', async () => {
    const { chain } = fixture
    const { sender, value, expiry } = newest.note
    const before = chain.balance(sender)
    chain.setTime(expiry + 600n)
    await settleNote({ ...(await use(lasting)), kind: 'refund' })
    expect(chain.balance(sender) - before).toBe(value)
    await closeNullifier(chain, node.settled().at(-1)!.nullifier)
    await expect(newestOfBalance(await use(lasting))).rejects.toMatchObject({
      code: 'ALREADY_SETTLED',
      paid: { kind: 'refunded', payee: sender, signature: node.sent.at(-1)?.signature },
    })
  })

  it('do not hide the delivery of a transfer', async () => {
    const ticket = await deposit('transfer')
    await settleNote({ ...(await use(ticket)), kind: 'deliver' })
    await closeNullifier(fixture.chain, node.settled().at(-1)!.nullifier)
    const known = settleNote({ ...(await use(ticket)), kind: 'refund' })
    await expect(known).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
    const asked = { ...(await use(ticket)), kind: 'refund', rpc: forgetful(node.rpc) } as const
    await expect(settleNote(asked)).rejects.toMatchObject({ code: 'WINDOW_OVER' })
  })
})
