import { NATIVE_MINT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { QuoteResponse } from '../server.ts'
import { askedFor, memoryTickets, transfer, type TransferOptions } from '../wallet.ts'

const WALLET = 'SysvarC1ock11111111111111111111111111111111'
const REQUEST = {
  ...{ amount: '1000', sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
  ...{ senderAddress: WALLET, recipientAddress: WALLET },
}

/** Begins a transfer with this limit, for a service whose quotes have a fee of 5. The caller declines every quote. */
async function begin(maxFee: string) {
  const asked: object[] = []
  const seen: QuoteResponse[] = []
  const service = {
    quote: async (terms: object) => {
      asked.push(terms)
      return { quote: { amountIn: '1000', amountOut: '995', mode: 'exact_in', fee: '5' } }
    },
  }
  const run = transfer({
    ...{ service, rpc: {}, signer: { address: WALLET }, acceptedPrograms: [] },
    ...{ state: askedFor({ ...REQUEST, maxFee }), save: async () => undefined },
    ...{ programId: WALLET, tickets: memoryTickets() },
    approve: (quoted: QuoteResponse) => seen.push(quoted) < 0,
  } as unknown as TransferOptions)
  const error = await run.catch((reason: unknown) => reason)
  return { error, asked, seen }
}

it('shows the caller only quotes whose fee is at most maxFee', async () => {
  const above = await begin('4')
  expect(above.error).toMatchObject({
    name: 'QuoteDeclinedError',
    message: expect.stringContaining('maxFee') as string,
  })
  expect(above.seen).toEqual([])
  const within = await begin('5')
  expect(within.error).toMatchObject({ name: 'QuoteDeclinedError' })
  expect(within.seen).toHaveLength(1)
  // The limit is the caller's own, so the service doesn't learn it.
  expect(within.asked).toEqual([REQUEST])
})

it.each(['', '1.5', '-1'])('requests no quote if maxFee is %j', async (maxFee) => {
  const { error, asked } = await begin(maxFee)
  expect(error).toMatchObject({ name: 'RangeError' })
  expect(asked).toEqual([])
})
