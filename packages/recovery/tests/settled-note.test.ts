import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { type Address, amount, ownerOf } from '@sotto/protocol'
import { nullifierAddress, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { findSettlement, ticketAfterShown } from '../index.ts'
import { DOMAIN, FakeChain, note, PROGRAM } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'

const PAYEE = 'Ed25519SigVerify111111111111111111111111111' as Address
const NULLIFIER = 4_711n

it('finds a settlement although later transactions name its nullifier', async () => {
  const chain = await new FakeChain().open()
  await chain.settle({
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  })
  const account = await nullifierAddress(PROGRAM, NULLIFIER)
  for (let count = 0; count < 20_500; count += 1) chain.spam('landed')
  chain.named.set(account, chain.transactions)
  const found = await findSettlement(
    nodeOf(chain).rpc,
    PROGRAM,
    NULLIFIER,
    unixSeconds(BigInt(chain.clock)),
  )
  expect(found?.settlement).toMatchObject({ payout: 5n, payee: PAYEE })
  // The time is unknown once the Nullifier account is closed.
  const untimed = await findSettlement(nodeOf(chain).rpc, PROGRAM, NULLIFIER, undefined)
  expect(untimed).toEqual(found)
})

it('finds a settlement although ten thousand earlier transactions name its nullifier', async () => {
  const chain = await new FakeChain().open()
  for (let count = 0; count < 10_000; count += 1) chain.spam('landed')
  await chain.settle({
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  })
  chain.named.set(await nullifierAddress(PROGRAM, NULLIFIER), chain.transactions)
  const found = await findSettlement(nodeOf(chain).rpc, PROGRAM, NULLIFIER, undefined)
  expect(found?.settlement).toMatchObject({ payout: 5n, payee: PAYEE })
})

it('finds a settlement at a node with pages of two transactions', async () => {
  const chain = await new FakeChain().open()
  await chain.settle({
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  })
  for (let count = 0; count < 5; count += 1) chain.spam('landed')
  chain.named.set(await nullifierAddress(PROGRAM, NULLIFIER), chain.transactions)
  const answer = (method: string, params: readonly unknown[]) => {
    const shown = chain.answer(method, params)
    return method === 'getSignaturesForAddress' ? (shown as object[]).slice(0, 2) : shown
  }
  const { rpc } = nodeOf({ answer })
  const at = unixSeconds(BigInt(chain.clock))
  for (const atSeconds of [at, undefined]) {
    const found = await findSettlement(rpc, PROGRAM, NULLIFIER, atSeconds)
    expect(found?.settlement).toMatchObject({ payout: 5n, payee: PAYEE })
  }
  expect(await findSettlement(rpc, PROGRAM, 1n, undefined)).toBeUndefined()
})

it('finds a settlement by its time although many other transactions name its nullifier', async () => {
  const chain = await new FakeChain().open()
  const spam = (count: number, seconds: number) => {
    chain.clock += seconds
    for (let made = 0; made < count; made += 1) chain.spam('landed')
  }
  spam(1_500, 0)
  spam(30, 200)
  const at = unixSeconds(BigInt(chain.clock))
  await chain.settle({
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  })
  spam(30, 0)
  spam(20_500, 200)
  chain.named.set(await nullifierAddress(PROGRAM, NULLIFIER), chain.transactions)
  const { rpc, asked } = nodeOf(chain)
  const found = await findSettlement(rpc, PROGRAM, NULLIFIER, at, 'finalized')
  expect(found?.settlement).toMatchObject({ payout: 5n, payee: PAYEE })
  // Only the 30 transactions directly before the settlement and the settlement itself are read.
  expect(asked.filter((method) => method === 'getTransaction')).toHaveLength(31)
})

it('refuses to follow a payment whose change does not match the ticket', () => {
  const secret = 77n
  const claim = { kind: 'balance', owner: ownerOf(secret) } as const
  const ticket = { program: PROGRAM, orderId: new Uint8Array(16), note: note({ claim }), secret }
  const time = ticket.note.deadline
  const shown = { nullifier: NULLIFIER, spent: amount(1n), time, changeLeaf: 7n }
  expect(() => ticketAfterShown(poseidon, DOMAIN, ticket, shown)).toThrow(
    expect.objectContaining({ code: 'CHANGE_DIFFERS' }) as Error,
  )
})

it('finds a settlement although the node lacks the last transaction of the previous page', async () => {
  const chain = await new FakeChain().open()
  for (let count = 0; count < 999; count += 1) chain.spam('landed')
  await chain.settle({
    ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
    ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
    ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
  })
  chain.named.set(await nullifierAddress(PROGRAM, NULLIFIER), chain.transactions)
  const { rpc, asked } = nodeOf({
    answer: (method, params) => {
      const answer = chain.answer(method, params)
      if (method === 'getSignaturesForAddress') chain.prune(1)
      return answer
    },
  })
  const found = await findSettlement(rpc, PROGRAM, NULLIFIER, unixSeconds(BigInt(chain.clock)))
  expect(found?.settlement).toMatchObject({ payout: 5n, payee: PAYEE })
  expect(asked.filter((method) => method === 'getSignaturesForAddress')).toHaveLength(2)
})
