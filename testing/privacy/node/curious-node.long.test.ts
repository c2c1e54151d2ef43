import { expect, it } from 'vitest'
import { leastCrowd } from './guess-payees.ts'
import { guess, live, PAYMENTS, ratio, RATIO_MAX, shown } from './live-and-guess.ts'
import type { TrueTransfer } from './live-through.ts'

const quotedAt = ({ quotedSeconds }: TrueTransfer) => quotedSeconds
const isSeen = ({ paidBefore }: TrueTransfer) => paidBefore === 'seen'

it('a single node learns no more about earlier payees than the chain shows', async () => {
  const lived = await live('decoys', 'regular', 2 * PAYMENTS)
  const lastNew = Math.max(...lived.transfers.filter((one) => !isSeen(one)).map(quotedAt))
  const guesses = guess(lived, (one) => quotedAt(one) > lastNew)
  console.log(`one node, regular payees: ${shown(guesses)}`)
  expect(guesses.deposits).toBeGreaterThan(PAYMENTS)
  expect(guesses.chance).toBeGreaterThan(0)
  expect(ratio(guesses)).toBeLessThanOrEqual(RATIO_MAX)
})

it.each(['many', 'regular'] as const)(
  'a node guesses recipients that are requested alone: %s',
  async (payees) => {
    const lived = await live('none', payees)
    const guesses = guess(lived)
    console.log(`no protection, ${payees} payees: ${shown(guesses)}`)
    expect(ratio(guesses)).toBeGreaterThan(2)
    expect(leastCrowd(lived)).toBe(1)
  },
)
