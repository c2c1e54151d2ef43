import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import {
  addInventoryInstruction,
  amount,
  collectFeesInstruction,
  NATIVE_MINT,
  removeInventoryInstruction,
  totalFees,
} from '@sotto/protocol'
import { depositPair, draftOrder, type OrderWish } from './fixtures/deposits.ts'
import {
  readAsset,
  START,
  startPool,
  SWAP_CAP,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'

const DAY = 86_400n
const PERIOD = 3_600n

/** An asset's books as this test keeps them: every fee with its day, every swap with its time. */
interface Books {
  owed: bigint
  inventory: bigint
  fees: { day: bigint; left: bigint }[]
  swaps: { start: bigint; used: bigint }
}

type Step =
  | { readonly kind: 'wait'; readonly seconds: bigint }
  | { readonly kind: 'stock' | 'remove' | 'collect'; readonly asset: 0 | 1; readonly size: bigint }
  | { readonly kind: 'send' | 'swap'; readonly asset: 0 | 1; readonly size: bigint; fee: bigint }

const asset = fc.constantFrom<0 | 1>(0, 1)
const size = fc.bigInt({ min: 1_000_000n, max: 6_000_000_000n })
const fee = fc.bigInt({ min: 0n, max: 5_000_000n })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('wait' as const),
    seconds: fc.constantFrom(1n, 600n, 3_599n, 3_600n, 43_200n, 86_400n, 172_800n),
  }),
  fc.record({ kind: fc.constantFrom('stock' as const, 'remove' as const), asset, size }),
  fc.record({ kind: fc.constant('collect' as const), asset, size: fee.map((n) => n + 1n) }),
  fc.record({ kind: fc.constantFrom('send' as const, 'swap' as const), asset, size, fee }),
)

/** What the step must do to the books; false where it must be refused. */
function expectStep(books: readonly [Books, Books], step: Step, clock: bigint): boolean {
  if (step.kind === 'wait') return true
  const own = books[step.asset]
  const other = books[step.asset === 0 ? 1 : 0]
  switch (step.kind) {
    case 'stock':
      own.inventory += step.size
      return true
    case 'remove':
      if (own.inventory < step.size) return false
      own.inventory -= step.size
      return true
    case 'collect':
      return takeFees(own, step.size, clock)
    case 'send':
      own.owed += step.size
      own.fees.push({ day: clock / DAY, left: step.fee })
      return true
    case 'swap': {
      const isNewPeriod = clock >= other.swaps.start + PERIOD
      const used = (isNewPeriod ? 0n : other.swaps.used) + step.size
      if (used > SWAP_CAP || other.inventory < step.size) return false
      other.swaps = { start: isNewPeriod ? clock : other.swaps.start, used }
      other.inventory -= step.size
      other.owed += step.size
      own.inventory += step.size
      own.fees.push({ day: clock / DAY, left: step.fee })
      return true
    }
  }
}

function takeFees(books: Books, quantity: bigint, clock: bigint): boolean {
  const due = books.fees.filter(({ day }) => day + 2n <= clock / DAY)
  if (due.reduce((sum, { left }) => sum + left, 0n) < quantity) return false
  let rest = quantity
  for (const entry of due) {
    const taken = rest < entry.left ? rest : entry.left
    entry.left -= taken
    rest -= taken
  }
  return true
}

async function perform(fixture: PoolFixture, step: Step): Promise<boolean> {
  const { chain, admin, token, adminToken } = fixture
  if (step.kind === 'wait') {
    chain.setTime(chain.time + step.seconds)
    return true
  }
  const mints = [NATIVE_MINT, token] as const
  const mint = mints[step.asset]
  const destination = mint === NATIVE_MINT ? admin.address : adminToken
  const at = { program: chain.program, admin: admin.address, mint, destination }
  const quantity = amount(step.size)
  const send = async (signer: KeyPairSigner, instructions: Instruction[]) =>
    (await chain.send([signer], instructions)).refusal === undefined
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
  const common = { sourceMint: mint, amountOut: step.size, fee: step.fee }
  if (step.kind === 'send') return common
  return { ...common, destinationMint: other, amountIn: step.size + step.fee }
}

test('I1: whatever is done in whatever order, books and vaults agree to the base unit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      const fixture = await startPool()
      fixture.chain.fund(fixture.admin.address, 1_000_000_000_000n)
      const empty = (): Books => ({
        owed: 0n,
        inventory: 0n,
        fees: [],
        swaps: { start: 0n, used: 0n },
      })
      const books = [empty(), empty()] as const
      fixture.chain.setTime(START)
      for (const one of steps) {
        const expected = expectStep(books, one, fixture.chain.time)
        expect(await perform(fixture, one)).toBe(expected)
        for (const [index, mint] of [NATIVE_MINT, fixture.token].entries()) {
          const { owed, inventory, fees } = books[index] ?? empty()
          const booked = fees.reduce((sum, { left }) => sum + left, 0n)
          const account = await readAsset(fixture, mint)
          expect([account.owed, account.inventory, totalFees(account)]).toEqual([
            owed,
            inventory,
            booked,
          ])
          expect(await vaultBalance(fixture, mint)).toBe(owed + inventory + booked)
        }
      }
    }),
    { numRuns: 25 },
  )
})
