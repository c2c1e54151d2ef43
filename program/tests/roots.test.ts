import { expect, test } from 'vitest'
import { decodeTree, NATIVE_MINT } from '@sotto/protocol'
import { draftOrder, Ledger, sendDeposit } from './fixtures/deposits.ts'
import { expectLanded, startPool } from './fixtures/pool.ts'
import { gridAfter, makeSettlement, settle } from './fixtures/settlements.ts'

const SEND = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n }

test('every deposit’s root is the one that an observer computes', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  for (let leafIndex = 0; leafIndex < 6; leafIndex += 1) {
    await ledger.deposit(fixture, await draftOrder(fixture, SEND))
    const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
    expect(tree.nextIndex).toBe(BigInt(leafIndex + 1))
    expect(tree.root(leafIndex)).toBe(ledger.tree.root)
    const hour = chain.time / 3_600n
    expect(tree.lastCheckpointHour).toBe(hour)
    expect(tree.checkpoint(Number(hour % 1_024n))).toBe(ledger.tree.root)
    chain.setTime(chain.time + 1_800n)
  }
})

test('a note whose root was pushed out of the ring is settled against its hour', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, SEND)
  const leafIndex = await ledger.deposit(fixture, order)
  const checkpoint = Number((chain.time / 3_600n) % 1_024n)
  chain.setTime(chain.time + 3_600n)
  const time = gridAfter(chain.time)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time })
  // As after 1,023 more deposits: the next one takes the first place of the ring again.
  chain.tamper(fixture.tree, (data) => new DataView(data.buffer).setBigUint64(8, 1_024n, true))
  expectLanded(await sendDeposit(fixture, await draftOrder(fixture, SEND)))
  const relayer = await chain.wallet()
  const pushedOut = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expect((await chain.send([relayer], [pushedOut])).refusal).toBe('ProofInvalid')
  const root = { kind: 'checkpoint', index: checkpoint } as const
  const byHour = await settle(fixture, relayer, NATIVE_MINT, { ...settlement, root })
  expectLanded(await chain.send([relayer], [byHour]))
})
