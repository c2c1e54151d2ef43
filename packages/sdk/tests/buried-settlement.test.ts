import { nullifierAddress, unixSeconds, type Address, amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { FakeChain, PROGRAM } from '../../recovery/tests/fake-chain.ts'
import { nodeOf } from '../../recovery/tests/fake-node.ts'
import { findSettling } from '../src/transfer/find-settling.ts'

const PAYEE = 'Ed25519SigVerify111111111111111111111111111' as Address
const NULLIFIER = 4_711n
const LIFE_SECONDS = 3_600 + 2_595_600 + 2_592_000 + 3_600 + 86_400

/**
 * A chain with a settlement, and with many other transactions that name the settlement's nullifier. Directly before the
 * settlement there are 30 of these transactions, and directly after it another 30. There are 1,500 at 200 s before the
 * settlement, and 20,500 at 200 s after it.
 */
async function buried() {
  const chain = await new FakeChain().open()
  const spam = (count: number, seconds: number) => {
    chain.clock += seconds
    for (let made = 0; made < count; made += 1) chain.spam('landed')
  }
  spam(1_500, 0)
  spam(30, 200)
  const at = BigInt(chain.clock)
  await chain.settle(
    {
      ...{ isRefund: false, root: { kind: 'recent', index: 0 }, nullifier: NULLIFIER },
      ...{ payout: amount(5n), fee: amount(0n), payee: PAYEE, changeLeaf: 7n },
      ...{ time: unixSeconds(1_799_998_200n), proof: new Uint8Array(256) },
    },
    chain.clock + LIFE_SECONDS,
  )
  spam(30, 0)
  spam(20_500, 200)
  const account = await nullifierAddress(PROGRAM, NULLIFIER)
  chain.named.set(account, chain.transactions)
  return { account, at, node: nodeOf(chain) }
}

it('finds a settlement by its time although many other transactions name its nullifier', async () => {
  const { account, at, node } = await buried()
  const sought = { account, nullifier: NULLIFIER, at }
  const found = await findSettling({ rpc: node.rpc, programId: PROGRAM }, sought)
  expect(found?.ours).toMatchObject({ payout: 5n, payee: PAYEE })
  const read = node.asked.filter((method) => method === 'getTransaction').length
  expect(read).toBe(31)
})
