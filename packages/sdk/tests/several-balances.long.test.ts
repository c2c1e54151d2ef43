import { generateKeyPairSigner } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { liteNode } from '../../recovery/tests/lite-node.ts'
import {
  Balance,
  BalanceTakenError,
  memoryBalance,
  openBalance,
  restoreBalance,
  type BalanceStore,
} from '../balance.ts'
import { Crash, crashAt } from './balance/crashing.ts'
import { FEE, PayingService } from './balance/paying-service.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

let prover: SharedProver
let fixture: PoolFixture
let node: ReturnType<typeof liteNode>
let paying: PayingService
let secret = 4_711n

const options = () => ({
  service: paying.service,
  rpc: node.rpc,
  programId: fixture.chain.program,
  approve: () => true,
  pollMs: 5,
  acceptedPrograms: [],
})
const again = (store: BalanceStore) => openBalance({ ...options(), store })
const wallet = async () => (await generateKeyPairSigner()).address
const holds = (address: Awaited<ReturnType<typeof wallet>>) => fixture.chain.balance(address)
const valueOf = async (balance: Balance) => (await balance.state()).value

/** Opens a balance of this value, with its own deposit and its own store. */
async function opened(amountOut: bigint) {
  secret += 1n
  const owner = { point: ownerOf(secret), secret, sign: () => expect.fail('unused') }
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut, fee: 0n, owner })
  expectLanded(await sendDeposit(fixture, order))
  const { orderId } = order.terms
  const ticket = encodeTicket({ program: fixture.chain.program, orderId, note: order.note, secret })
  const store = memoryBalance()
  return { store, balance: await restoreBalance({ ...options(), store, ticket }) }
}

const lineOf = async (amount: bigint) => ({ to: await wallet(), amount: `${amount}` })
const linesOf = (...amounts: bigint[]) => Promise.all(amounts.map(lineOf))

beforeAll(async () => {
  prover = await sharedProver()
  fixture = await startPool()
  node = liteNode(fixture.chain)
})
beforeEach(() => {
  paying = new PayingService(node, fixture.chain, prover)
})

describe('a list that several balances pay', () => {
  it('is paid once, by all balances at the same time', async () => {
    const [small, large] = [await opened(40_000_000n), await opened(400_000_000n)]
    const lines = await linesOf(10_000_000n, 300_000_000n, 20_000_000n)
    const balances = [small.balance, large.balance]
    let [running, most] = [0, 0]
    const { signPayment } = paying.service
    const service = {
      ...paying.service,
      signPayment: async (...signed: Parameters<typeof signPayment>) => {
        most = Math.max(most, (running += 1))
        return signPayment(...signed).finally(() => (running -= 1))
      },
    }
    const reopened = await Promise.all(
      [small, large].map(({ store }) => openBalance({ ...options(), service, store })),
    )
    const seen: number[] = []
    const list = { id: 'payroll', lines }
    const all = await Balance.sendAllFrom(reopened, list, ({ line }) => seen.push(line))
    expect(all.map(({ payout }) => payout)).toEqual(lines.map(({ amount }) => amount))
    for (const { to, amount } of lines) expect(holds(to)).toBe(BigInt(amount))
    expect(most).toBe(2)
    expect([...seen].sort()).toEqual([0, 1, 2])
    const left = await Promise.all(reopened.map(valueOf))
    expect(left.reduce<bigint>((sum, value) => sum + value, 0n)).toBe(
      440_000_000n - 330_000_000n - 3n * FEE,
    )
    // A balance object that was opened before these payments doesn't know them, so it must not pay.
    await expect(Balance.sendAllFrom(balances, list)).rejects.toThrow(BalanceTakenError)
    const orders = paying.ordersMade
    const [one, other] = [await again(large.store), await again(small.store)]
    expect(await Balance.sendAllFrom([one, other], list)).toEqual(all)
    expect(paying.ordersMade).toBe(orders)
  })

  it('is paid once, line by line, even if the process ends at any point', async () => {
    const stores = [(await opened(900_000_000n)).store, (await opened(900_000_000n)).store]
    // Quotes and orders change nothing durable, so no crash points are needed at these calls.
    const isCounted = (name: string) =>
      name === 'before store.write' || name.endsWith('service.signPayment')
    let points = 0
    for (let point = 1; ; point += 1) {
      const list = { id: `list ${point}`, lines: await linesOf(1_000_000n, 2_000_000n) }
      const reopened = () => Promise.all(stores.map(again))
      const total = async () => {
        const [one, other] = await Promise.all((await reopened()).map(valueOf))
        return one! + other!
      }
      const before = await total()
      const crash = crashAt(point, isCounted)
      const run = async () => {
        const crashing = stores.map((store) => openBalance(crash.surround({ ...options(), store })))
        return Balance.sendAllFrom(await Promise.all(crashing), list)
      }
      const ended = await run().catch((error: unknown) => error)
      const seen: number[] = []
      await Balance.sendAllFrom(await reopened(), list, ({ line }) => seen.push(line))
      const { last } = crash.passed
      for (const { to, amount } of list.lines) expect(holds(to), last).toBe(BigInt(amount))
      expect(before - (await total()), last).toBe(3_000_000n + 2n * FEE)
      expect([...seen].sort(), last).toEqual([0, 1])
      if (!(ended instanceof Crash)) break
      points += 1
    }
    // First the list is written to each store. Then each line makes at least three writes, its signature is sent, and
    // its payment lands.
    expect(points).toBeGreaterThanOrEqual(12)
  })

  it('continues a line with the balance that signed its payment', async () => {
    const [one, other] = [await opened(50_000_000n), await opened(900_000_000n)]
    const list = { id: 'list', lines: await linesOf(10_000_000n) }
    paying.isStuck = true
    const crash = crashAt(1, (name) => name === 'after service.signPayment')
    const crashing = await openBalance(crash.surround({ ...options(), store: one.store }))
    await expect(crashing.sendAll(list)).rejects.toThrow(Crash)
    const abandoned = Balance.sendAllFrom([one.balance, other.balance], list)
    await expect(abandoned).rejects.toThrow(BalanceTakenError)
    paying.isStuck = false
    const reopened = await openBalance({ ...options(), store: one.store })
    expect(await Balance.sendAllFrom([reopened, await again(other.store)], list)).toHaveLength(1)
    expect(holds(list.lines[0]!.to)).toBe(10_000_000n)
    expect(await valueOf(await again(other.store))).toBe(900_000_000n)
  })

  it('is not begun if no single balance has enough for a line', async () => {
    const two = [await opened(50_000_000n), await opened(60_000_000n)]
    const lines = await linesOf(5_000_000n, 70_000_000n)
    const refused = Balance.sendAllFrom(
      two.map(({ balance }) => balance),
      { id: 'list', lines },
    )
    await expect(refused).rejects.toMatchObject({
      code: 'BALANCES_TOO_SMALL',
      message: expect.stringMatching(
        /line 1 \(70000000 .* the largest balance has 60000000/,
      ) as string,
    })
    expect(paying.quotesMade).toBe(0)
    const third = await opened(80_000_000n)
    const reopened = [...(await Promise.all(two.map(({ store }) => again(store)))), third.balance]
    await Balance.sendAllFrom(reopened, { id: 'list', lines })
    for (const { to, amount } of lines) expect(holds(to)).toBe(BigInt(amount))
  })

  it('gives a line to another balance if the fee makes the line too large for the first', async () => {
    const [large, small] = [await opened(300_000_000n), await opened(100_000_000n + FEE - 1n)]
    const lines = await linesOf(150_000_000n, 100_000_000n)
    await Balance.sendAllFrom([large.balance, small.balance], { id: 'list', lines })
    expect(await valueOf(large.balance)).toBe(50_000_000n - 2n * FEE)
    const more = await linesOf(100_000_000n)
    const refused = Balance.sendAllFrom([large.balance, small.balance], { id: 'more', lines: more })
    await expect(refused).rejects.toMatchObject({ code: 'BALANCES_TOO_SMALL' })
    expect(holds(more[0]!.to)).toBe(0n)
  })

  it('pays nothing if one of the balances that began it is missing', async () => {
    const [one, other] = [await opened(50_000_000n), await opened(60_000_000n)]
    const list = { id: 'list', lines: await linesOf(1_000_000n, 2_000_000n) }
    await Balance.sendAllFrom([one.balance, other.balance], list)
    const [further, missing] = [await opened(70_000_000n), { code: 'BALANCE_MISSING' }]
    const without = Balance.sendAllFrom([one.balance, further.balance], list)
    await expect(without).rejects.toMatchObject(missing)
    await expect(other.balance.sendAll(list)).rejects.toMatchObject(missing)
    await other.balance.sendAll({ ...list, id: 'other list', lines: [] })
    for (const { to, amount } of list.lines) expect(holds(to)).toBe(BigInt(amount))
  })

  it('goes on without a balance that is empty', async () => {
    const [one, other] = [await opened(50_000_000n), await opened(60_000_000n)]
    const [first, second] = await linesOf(1_000_000n, 2_000_000n)
    const balances = [one.balance, other.balance]
    await Balance.sendAllFrom(balances, { id: 'list', lines: [first!] })
    await one.balance.close({ kept: 0n })
    await Balance.sendAllFrom(balances, { id: 'list', lines: [first!, second!] })
    expect([holds(first!.to), holds(second!.to)]).toEqual([1_000_000n, 2_000_000n])
  })

  it('ends with the first error of any balance, after other payments have ended', async () => {
    const [one, other] = [await opened(50_000_000n), await opened(60_000_000n)]
    const refusal = Object.assign(new Error('paused'), { code: 'PAUSED', retry: 'never' })
    const quote = () => Promise.reject(refusal)
    const failing = await openBalance({
      ...{ ...options(), store: one.store },
      service: { ...paying.service, quote },
    })
    const lines = await linesOf(1_000_000n, 2_000_000n, 3_000_000n)
    const run = Balance.sendAllFrom([failing, other.balance], { id: 'list', lines })
    await expect(run).rejects.toBe(refusal)
    // The balance `other` completes its payment in progress, and begins no further line.
    expect(await valueOf(other.balance)).toBe(59_000_000n - FEE)
  })

  it('refuses balances that cannot share it, and changed lines', async () => {
    const { balance } = await opened(50_000_000n)
    const list = { id: 'list', lines: await linesOf(1_000_000n) }
    await expect(Balance.sendAllFrom([], list)).rejects.toThrow(RangeError)
    await expect(Balance.sendAllFrom([balance, balance], list)).rejects.toThrow(/named twice/)
    await Balance.sendAllFrom([balance], list)
    const changed = { id: 'list', lines: await linesOf(1_000_000n) }
    await expect(Balance.sendAllFrom([balance], changed)).rejects.toMatchObject({
      code: 'KEY_REUSED',
    })
  })
})
