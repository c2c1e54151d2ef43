import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import {
  addInventoryInstruction,
  amount,
  collectFeesInstruction,
  removeInventoryInstruction,
} from '@sotto/protocol'
import { depositPair, draftOrder, type OrderWish } from './fixtures/deposits.ts'
import { readAsset, SWAP_CAP, SWAP_PERIOD_SECONDS, vaultBalance } from './fixtures/pool.ts'
import { takeSnapshot } from './random/snapshot.ts'
import type { Snapshot } from './random/snapshot-shape.ts'

const PERIOD = BigInt(SWAP_PERIOD_SECONDS)
let snapshot: Snapshot

beforeAll(async () => {
  snapshot = await takeSnapshot()
})

/** An asset's books, as this test computes them. */
interface Books {
  owed: bigint
  inventory: bigint
  fees: bigint
  /** The used part of the swap cap, and the time at which it was computed. */
  swaps: { readonly clock: bigint; used: bigint }
}

type Step =
  | { readonly kind: 'wait'; readonly seconds: bigint }
  | { readonly kind: 'stock' | 'remove' | 'collect'; readonly asset: 0 | 1; readonly size: bigint }
  | { readonly kind: 'send' | 'swap'; readonly asset: 0 | 1; readonly size: bigint }
  /** A settlement whose proof was recorded. */
  | { readonly kind: 'settle'; readonly pick: number }

const asset = fc.constantFrom<0 | 1>(0, 1)
const size = fc.bigInt({ min: 1_000_000n, max: 6_000_000_000n })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('wait' as const),
    seconds: fc.constantFrom(1n, 600n, 3_599n, 3_600n, 43_200n),
  }),
  fc.record({
    kind: fc.constantFrom('stock' as const, 'remove' as const),
    asset,
    size: fc.bigInt({ min: 1n, max: 25_000_000_000n }),
  }),
  fc.record({
    kind: fc.constant('collect' as const),
    asset,
    size: fc.bigInt({ min: 1n, max: 9_000_000n }),
  }),
  fc.record({ kind: fc.constantFrom('send' as const, 'swap' as const), asset, size }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), pick: fc.nat() }) },
)

/** The books of an asset as the chain shows them before the first step. */
const booksOf = async (mint: Address): Promise<Books> => {
  const { owed, inventory, fees, swapUpdatedAt, swapUsed } = await readAsset(
    snapshot.world.fixture,
    mint,
  )
  return { owed, inventory, fees, swaps: { clock: swapUpdatedAt, used: swapUsed } }
}

const settlementAt = (pick: number) => {
  const found = snapshot.settlements[pick % snapshot.settlements.length]
  if (found === undefined) throw new Error('no settlements')
  return found
}

/** Changes the books by a swap. Returns false if the program must refuse the swap. */
function takeSwap(own: Books, other: Books, value: bigint, clock: bigint): boolean {
  const elapsed = clock - other.swaps.clock
  const back = elapsed >= PERIOD ? other.swaps.used : (SWAP_CAP * elapsed) / PERIOD
  const used = (other.swaps.used > back ? other.swaps.used - back : 0n) + value
  if (used > SWAP_CAP || other.inventory < value) return false
  other.swaps = { clock, used }
  other.inventory -= value
  other.owed += value
  own.inventory += value
  return true
}

/** Changes the books by a step. Returns false if the program must refuse the step. */
function expectStep(
  books: readonly [Books, Books],
  step: Exclude<Step, { kind: 'settle' }>,
  clock: bigint,
): boolean {
  if (step.kind === 'wait') return true
  const own = books[step.asset]
  switch (step.kind) {
    case 'stock':
      own.inventory += step.size
      return true
    case 'remove':
      if (own.inventory < step.size) return false
      own.inventory -= step.size
      return true
    case 'collect':
      if (own.fees < step.size) return false
      own.fees -= step.size
      return true
    case 'send':
      own.owed += step.size
      return true
    case 'swap':
      return takeSwap(own, books[step.asset === 0 ? 1 : 0], step.size, clock)
  }
}

/** Changes the books by a settlement that landed. This test doesn't check when a settlement may land. */
function expectSettled(books: readonly [Books, Books], pick: number): void {
  const { asset: index, settlement } = settlementAt(pick)
  books[index].owed -= settlement.payout + settlement.fee
  books[index].fees += settlement.fee
}

async function perform(step: Step): Promise<boolean> {
  const { world } = snapshot
  const { fixture, mints, actors } = world
  const send = async (signer: KeyPairSigner, instructions: Instruction[]) =>
    (await world.send([signer], instructions)).refusal === undefined
  if (step.kind === 'wait') {
    fixture.chain.setTime(fixture.chain.time + step.seconds)
    return true
  }
  if (step.kind === 'settle') {
    return send(actors.relayer, [settlementAt(step.pick).instruction])
  }
  const { chain, admin } = fixture
  const mint = mints[step.asset]
  const destination = await world.pocket(admin.address, step.asset)
  const at = { program: chain.program, admin: admin.address, mint, destination }
  const quantity = amount(step.size)
  switch (step.kind) {
    case 'stock':
      return send(admin, [await addInventoryInstruction({ ...at, source: destination }, quantity)])
    case 'remove':
      return send(admin, [await removeInventoryInstruction(at, quantity)])
    case 'collect':
      return send(admin, [await collectFeesInstruction(at, quantity)])
    case 'send':
    case 'swap': {
      const order = await draftOrder(fixture, wishOf(step, mint, mints[step.asset === 0 ? 1 : 0]))
      return send(order.sender, await depositPair(fixture, order.terms))
    }
  }
}

function wishOf(step: Step & { kind: 'send' | 'swap' }, mint: Address, other: Address): OrderWish {
  const common = { sourceMint: mint, amountOut: step.size }
  if (step.kind === 'send') return common
  return { ...common, destinationMint: other, amountIn: step.size }
}

async function expectBooks(books: readonly [Books, Books]): Promise<void> {
  const { fixture, mints } = snapshot.world
  for (const index of [0, 1] as const) {
    const { owed, inventory, fees } = books[index]
    expect(await readAsset(fixture, mints[index])).toMatchObject({ owed, inventory, fees })
    expect(await vaultBalance(fixture, mints[index])).toBe(owed + inventory + fees)
  }
}

test('I1: after any actions in any order, books and vaults agree to the base unit', async () => {
  let settled = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      snapshot.world.reset()
      const { mints, fixture } = snapshot.world
      const books = [await booksOf(mints[0]), await booksOf(mints[1])] as const
      for (const one of steps) {
        const hasLanded = await perform(one)
        if (one.kind !== 'settle') {
          expect(hasLanded).toBe(expectStep(books, one, fixture.chain.time))
        } else if (hasLanded) {
          expectSettled(books, one.pick)
          settled += 1
        }
        await expectBooks(books)
      }
    }),
    { numRuns: 12 },
  )
  expect(settled).toBeGreaterThan(5)
})
