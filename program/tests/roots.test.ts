import { expect, test } from 'vitest'
import { CHECKPOINTS, decodeTree, NATIVE_MINT, RECENT } from '@sotto/protocol'
import { draftOrder, sendDeposit } from './fixtures/deposits.ts'
import { gridAfter } from './fixtures/grid.ts'
import { Ledger } from './fixtures/ledger.ts'
import { expectLanded, startPool } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'

const SEND = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n }
const placeOf = (hour: bigint) => Number(hour % BigInt(CHECKPOINTS))

test('every deposit’s leaf and root match an observer’s computation', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  for (let leafIndex = 0; leafIndex < 6; leafIndex += 1) {
    await ledger.deposit(fixture, await draftOrder(fixture, SEND))
    const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
    expect(tree.nextIndex).toBe(BigInt(leafIndex + 1))
    const entry = { leaf: ledger.tree.leaf(leafIndex), root: ledger.tree.root }
    expect(tree.recent(leafIndex)).toEqual(entry)
    const hour = chain.time / 3_600n
    expect(tree.lastCheckpointHour).toBe(hour)
    expect(tree.checkpoint(placeOf(hour))).toBe(ledger.tree.root)
    chain.setTime(chain.time + 1_800n)
  }
})

test('a note can be settled against its hour’s checkpoint after its root has left the recent ring', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, SEND)
  const leafIndex = await ledger.deposit(fixture, order)
  const checkpoint = placeOf(chain.time / 3_600n)
  chain.setTime(chain.time + 3_600n)
  const time = gridAfter(chain.time)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time })
  // Sets the number of leaves as if there had been 1,023 more deposits. So the next deposit overwrites the ring's first
  // entry.
  chain.tamper(fixture.tree, (data) =>
    new DataView(data.buffer).setBigUint64(8, BigInt(RECENT), true),
  )
  expectLanded(await sendDeposit(fixture, await draftOrder(fixture, SEND)))
  const relayer = await chain.wallet()
  const pushedOut = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expect((await chain.send([relayer], [pushedOut])).refusal).toBe('ProofInvalid')
  const root = { kind: 'checkpoint', index: checkpoint } as const
  const byHour = await settle(fixture, relayer, NATIVE_MINT, { ...settlement, root })
  expectLanded(await chain.send([relayer], [byHour]))
})

test('a checkpoint holds the last root of its hour, also after a settlement', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, SEND)
  await ledger.deposit(fixture, order)
  const hour = placeOf(chain.time / 3_600n)
  const settlement = await makeSettlement(ledger, order, 0, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, settlement)
  const last = ledger.tree.root
  chain.setTime(chain.time + 3_600n)
  await ledger.deposit(fixture, await draftOrder(fixture, SEND))
  const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
  expect(tree.checkpoint(hour)).toBe(last)
  expect(tree.checkpoint(placeOf(chain.time / 3_600n))).toBe(ledger.tree.root)
})
