import { expect, test } from 'vitest'
import { ceilToGrid, MAX_LIFE_SECONDS, NATIVE_MINT } from '@sotto/protocol'
import { draftOrder } from '../fixtures/deposits.ts'
import { Ledger } from '../fixtures/ledger.ts'
import { makeOwner } from '../fixtures/owners.ts'
import { startPool } from '../fixtures/pool.ts'
import { changeNote, makeSettlement, settle, type Spendable } from '../fixtures/settlements.ts'

const VALUE = 1_000_000_000n
const DUST = 1n
const PAYMENTS = 3n
const DAY_SECONDS = 86_400n

test('not prevented: a balance’s owner postpones the refund again and again with payments of one lamport', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const relayer = await chain.wallet()
  const payee = (await chain.wallet()).address
  const owner = makeOwner(7)
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, owner, life: MAX_LIFE_SECONDS }
  const order = await draftOrder(fixture, wish)
  let now: Spendable = order
  let leaf = await ledger.deposit(fixture, order)
  const refund = async () => {
    const time = now.note.expiry + 600n
    const { note } = now
    return makeSettlement(ledger, { note }, leaf, { isRefund: true, time })
  }
  for (let count = 0n; count < PAYMENTS; count += 1n) {
    const former = now.note.expiry
    chain.setTime(former - 1_200n)
    const payment = { payee, payout: DUST }
    const time = ceilToGrid(chain.time + 1n)
    const settlement = await makeSettlement(ledger, now, leaf, { time, payment })
    await ledger.settle(fixture, relayer, NATIVE_MINT, settlement)
    now = { note: changeNote(now, leaf, payment, time), owner }
    leaf = ledger.tree.size - 1
    // One payment postpones the expiry by at most `MAX_LIFE_SECONDS`, so the owner must pay again.
    expect(now.note.expiry - former > MAX_LIFE_SECONDS - 2n * DAY_SECONDS).toBe(true)
    expect(now.note.expiry - former <= MAX_LIFE_SECONDS).toBe(true)
  }
  expect(chain.time > order.note.expiry + MAX_LIFE_SECONDS).toBe(true)
  const returned = await refund()
  const submit = async () =>
    (await chain.send([relayer], [await settle(fixture, relayer, NATIVE_MINT, returned)])).refusal
  expect(await submit()).toBe('RefundTimeOutOfRange')
  // After the owner's last payment, a refund returns everything except the dust to the depositor.
  chain.setTime(now.note.expiry + 601n)
  const before = chain.balance(order.terms.sender)
  expect(await submit()).toBeUndefined()
  expect(chain.balance(order.terms.sender) - before).toBe(VALUE - PAYMENTS * DUST)
})
