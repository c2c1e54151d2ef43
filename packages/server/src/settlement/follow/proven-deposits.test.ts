import { CLOSE_DELAY_SECONDS, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import { Cooldown } from '../../running/cooldown.ts'
import type { FinalizedHead, FoundDeposit } from '../../ports/settlement-chain.ts'
import type { DepositIndex } from '../../ports/read-deposit-indexes.ts'
import type { ArrivedOrder } from '../../ports/settlement-store.ts'
import { provenDeposits } from './proven-deposits.ts'

const DEADLINE = 600_000n
const HEAD = {
  ...{ slot: 9n, unixSeconds: unixSeconds(DEADLINE - 100n), nextLeaf: 8n },
} as unknown as FinalizedHead

/** An order whose leaf is at this index. Its note lives for `life` seconds. */
const orderAt = (leafIndex: number, life: number) =>
  ({
    orderId: new Uint8Array(16).fill(leafIndex),
    leaf: BigInt(100 + leafIndex),
    leafIndex,
    deadline: unixSeconds(DEADLINE),
    expiry: unixSeconds(DEADLINE + BigInt(life)),
  }) as unknown as ArrivedOrder
const transferAt = (leafIndex: number) => orderAt(leafIndex, 3_600)
const balanceAt = (leafIndex: number) => orderAt(leafIndex, BALANCE_SECONDS_MIN)
const leafAt = (index: number) => BigInt(100 + index)

/**
 * Proves deposits with a node whose `answer` depends on the order's id. `answer` may throw. The result includes the
 * requests to the node.
 */
async function proveWith(
  arrived: readonly ArrivedOrder[],
  answer: (id: number) => DepositIndex = (id) => id,
  history: (id: number) => object | undefined = () => undefined,
) {
  const requests: string[] = []
  const chain = {
    readDepositIndexes: async (orderIds: readonly Uint8Array[], slotMin: bigint) => {
      requests.push(`accounts ${orderIds.map(([id]) => id).join(' ')} from ${slotMin}`)
      return orderIds.map(([id]) => answer(id!))
    },
    findDeposit: async ([id]: Uint8Array) => {
      requests.push(`history ${id}`)
      return history(id!) as FoundDeposit | undefined
    },
  }
  const failures: string[] = []
  let nowMs = 0
  const log = { failed: (step: string) => void failures.push(step) }
  const d = { chain, log, clock: { nowMs: () => nowMs }, undecided: new Cooldown(5_000) }
  const prove = () => provenDeposits(d, arrived, HEAD, leafAt)
  const after = (ms: number) => {
    nowMs += ms
    return prove()
  }
  return { requests, failures, after, ...(await prove()) }
}

it('names the same accounts for transfers and for balances', async () => {
  const ofTransfers = await proveWith([transferAt(1), transferAt(2)])
  const ofBoth = await proveWith([transferAt(1), balanceAt(2)])
  const ofBalances = await proveWith([balanceAt(1), balanceAt(2)])
  expect(ofTransfers.requests).toEqual(['accounts 1 2 from 9'])
  expect(ofBoth.requests).toEqual(ofTransfers.requests)
  expect(ofBalances.requests).toEqual(ofTransfers.requests)
  expect(ofBoth.deposited).toHaveLength(2)
  expect((await proveWith([])).requests).toEqual([])
})

it('counts a transfer as deposited, whatever the node answers', async () => {
  const order = transferAt(1)
  const fails = () => {
    throw new Error('no answer')
  }
  for (const answer of [() => undefined, () => 7, fails]) {
    expect((await proveWith([order], answer)).deposited).toEqual([order])
  }
})

it('counts a balance as deposited only at the leaf that its Order account names', async () => {
  expect((await proveWith([balanceAt(1)])).deposited).toEqual([balanceAt(1)])
  const elsewhere = await proveWith([balanceAt(1)], () => 7)
  expect([elsewhere.deposited, elsewhere.undeposited]).toEqual([[], []])
  const missing = await proveWith([balanceAt(1), transferAt(2)], () => undefined)
  expect(missing.deposited).toEqual([transferAt(2)])
  expect(missing.undeposited).toEqual([balanceAt(1).orderId])
})

it('calls no balance undeposited from the first second in which its Order may be closed', async () => {
  const proven = async (deadline: bigint) => {
    const order = { ...balanceAt(1), deadline: unixSeconds(deadline) }
    return (await proveWith([order], () => undefined)).undeposited
  }
  const closing = HEAD.unixSeconds - CLOSE_DELAY_SECONDS
  expect(await proven(closing)).toEqual([])
  expect(await proven(closing + 1n)).toEqual([balanceAt(1).orderId])
})

it('decides nothing about a balance if the node does not answer', async () => {
  const fails = () => {
    throw new Error('no answer')
  }
  await expect(proveWith([transferAt(1), balanceAt(2)], fails)).rejects.toThrow('no answer')
})

it('decides other orders although the nodes keep no history for one of them', async () => {
  const fails = () => {
    throw new Error('-32011')
  }
  const arrived = [transferAt(1), balanceAt(2), balanceAt(3)]
  const proven = await proveWith(arrived, (id) => (id === 2 ? undefined : id), fails)
  expect(proven.deposited).toEqual([transferAt(1), balanceAt(3)])
  expect([proven.undeposited, proven.failures]).toEqual([[], ['find_deposit']])
})

it('asks about an undecided order again only after a pause', async () => {
  const proven = await proveWith([balanceAt(1)], () => 'unconfirmed')
  expect([proven.deposited, proven.undeposited]).toEqual([[], []])
  await proven.after(4_999)
  expect(proven.requests).toHaveLength(1)
  await proven.after(1)
  expect(proven.requests).toHaveLength(2)
})
