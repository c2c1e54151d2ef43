import { NATIVE_MINT } from '@sotto/protocol'
import { readRentHeld } from '../../demo/src/rent-held.ts'
import { readBooks, type Books } from '../../demo/src/report/books.ts'
import type { Ground } from '../stage/open-ground.ts'
import type { OpenBalance } from './balances.ts'
import type { Ended } from './check-balances.ts'

const PAID = ['delivered', 'refunded']
const total = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((sum, one) => sum + one, 0)

export const openingBooks = ({ chain, program, setup }: Ground): Promise<Books[]> =>
  readBooks({ chain, program, usdc: setup.usdc })

/**
 * The amount that an asset's vault gained, and the part of it that is fees. Both are computed only from quotes, tickets
 * and outcomes.
 */
function flowsOf(ended: readonly Ended[], mint: string): { vault: bigint; fees: bigint } {
  let [vault, fees] = [0n, 0n]
  for (const { drawn, quote, value, status } of ended) {
    if (!PAID.includes(status.status)) continue
    const amountOut = BigInt(quote.amountOut)
    if (drawn.source === mint) {
      vault += BigInt(quote.amountIn) - BigInt(quote.feeBreakdown.partnerFee)
    }
    if (drawn.destination !== mint) continue
    // A refund pays the whole value. A delivery leaves its fee in the vault.
    const isDelivered = status.status === 'delivered'
    vault -= isDelivered ? amountOut : value
    if (isDelivered) fees += value - amountOut
  }
  return { vault, fees }
}

const paymentsOf = ({ payments }: OpenBalance) => payments.filter(({ isPaid }) => isPaid)

/** The amounts that balances add to an asset's vault, to its fees, and to the amount that it owes. */
function keptOf(balances: readonly OpenBalance[], mint: string) {
  const own = balances.filter(({ placed }) => placed.drawn.source === mint)
  const fees = own.flatMap(paymentsOf).reduce((sum, { fee }) => sum + fee, 0n)
  const payouts = own.flatMap(paymentsOf).reduce((sum, { payout }) => sum + payout, 0n)
  const deposits = own.reduce((sum, { placed }) => sum + placed.value, 0n)
  const owed = own.reduce((sum, { rest }) => sum + rest, 0n)
  return { vault: deposits - payouts, fees, owed }
}

/**
 * Checks that the balances of the vaults, and the sums in the pool's Asset accounts, are exact to the base unit. Also
 * checks that each settled note has one Nullifier, so nothing was paid twice.
 */
export async function checkPool(
  stage: Ground,
  before: readonly Books[],
  ended: readonly Ended[],
  balances: readonly OpenBalance[],
): Promise<string[]> {
  const wrong: string[] = []
  for (const [index, books] of (await openingBooks(stage)).entries()) {
    const old = before[index]!
    const mint = books.asset === 'SOL' ? NATIVE_MINT : stage.setup.usdc
    const flows = flowsOf(ended, mint)
    const kept = keptOf(balances, mint)
    const expect = (what: string, actual: bigint, expected: bigint) => {
      if (actual !== expected) wrong.push(`${books.asset}: ${what} ${actual}, not ${expected}`)
    }
    expect('the vault holds', books.vault, old.vault + flows.vault + kept.vault)
    expect('fees are', books.fees, old.fees + flows.fees + kept.fees)
    expect('owed is', books.owed, kept.owed)
    expect('the books add up to', books.owed + books.fees + books.inventory, books.vault)
  }
  const rent = await readRentHeld(stage.chain, stage.program)
  const paid = ended.filter(({ status }) => PAID.includes(status.status)).length
  const orders = paid + balances.length
  const notes = paid + balances.flatMap(paymentsOf).length
  if (total(rent.orders) !== orders) {
    wrong.push(`${total(rent.orders)} deposits for ${orders} orders`)
  }
  if (total(rent.nullifiers) !== notes) {
    wrong.push(`${total(rent.nullifiers)} settlements of ${notes} notes`)
  }
  return wrong
}
