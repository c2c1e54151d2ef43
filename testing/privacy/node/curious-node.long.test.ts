import { expect, it } from 'vitest'
import { DECOYS_OF_KIND } from '../../../packages/server/src/adapters/chain/recipients/decoys.ts'
import { leastCrowd } from './guess-payees.ts'
import { guess, live, PAYMENTS, ratio, RATIO_MAX, SEED, shown } from './live-and-guess.ts'
import { liveThrough, type TrueTransfer } from './live-through.ts'

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

it('a node without requests for recipients learns no more than the chain shows', async () => {
  const guesses = guess(await live('own nodes', 'many'))
  console.log(`own nodes for recipients: ${shown(guesses)}`)
  expect(guesses.deposits).toBe(PAYMENTS)
  expect(guesses.chance).toBeGreaterThan(0)
  expect(ratio(guesses)).toBeLessThanOrEqual(RATIO_MAX)
})

it('not prevented: a single node guesses recipients that are paid for the first time', async () => {
  const guesses = guess(await live('decoys', 'many'))
  console.log(`one node, many payees: ${shown(guesses)}`)
  expect(ratio(guesses)).toBeGreaterThan(RATIO_MAX)
})

it('a single node can’t distinguish a new recipient from decoys before the payment', async () => {
  const lived = await liveThrough('decoys', { payments: PAYMENTS, payees: 'many', seed: SEED })
  expect(leastCrowd(lived)).toBeGreaterThan(DECOYS_OF_KIND)
})
