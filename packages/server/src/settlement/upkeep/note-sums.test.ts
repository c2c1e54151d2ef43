import { REFUND_WINDOW_SECONDS } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { notesOf } from './note-sums.ts'

const EXPIRY = 1_000n

/** The sums for a note of 7, with or without its Nullifier, at this time of the chain's clock. */
async function sums(unixSeconds: bigint, isSettled: boolean) {
  const order = {
    ...{ orderId: new Uint8Array(16), destinationMint: 'm', value: 7n, expiry: EXPIRY },
  }
  const d = {
    store: {
      listOpen: async () => [order],
      readCursor: async () => ({ unixSeconds }),
    },
    opener: { openAll: async () => [{ order, nullifier: 1n }] },
    chain: {
      readNullifiers: async () => ({ slot: 9n, settled: [isSettled ? {} : undefined] }),
    },
  } as unknown as Parameters<typeof notesOf>[0]
  return (await notesOf(d, 9n)).byMint.get('m')
}

it('a note without a Nullifier is unsettled while its Nullifier could not be closed yet', async () => {
  const last = EXPIRY + REFUND_WINDOW_SECONDS
  expect(await sums(last, false)).toEqual({ unsettled: 7n, unclear: 0n })
})

it('I2: past the refund window an absent Nullifier may have been closed and says nothing', async () => {
  const past = EXPIRY + REFUND_WINDOW_SECONDS + 1n
  expect(await sums(past, false)).toEqual({ unsettled: 0n, unclear: 7n })
})

it('a Nullifier that is there says settled at any time', async () => {
  const none = { unsettled: 0n, unclear: 0n }
  expect(await sums(0n, true)).toEqual(none)
  expect(await sums(EXPIRY + 2n * REFUND_WINDOW_SECONDS, true)).toEqual(none)
})
