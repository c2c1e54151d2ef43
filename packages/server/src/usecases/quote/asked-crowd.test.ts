import { expect, it } from 'vitest'
import { crowdAskedFor } from './asked-crowd.ts'

const LAW = { meanSeconds: 300, spreadSeconds: 1_800 }
const USUAL = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }
const SEND = { sourceAssetId: 'sol', destinationAssetId: 'sol' }
const SWAP = { sourceAssetId: 'sol', destinationAssetId: 'usdc' }
const ask = (request: object, delays = USUAL, windowSeconds = 3_600) =>
  crowdAskedFor({ ...SEND, ...request }, LAW, delays, windowSeconds)

it('a missed crowd means a refund by default', () => {
  expect(ask({})).toBeUndefined()
  expect(ask({ minCrowd: 5 })).toEqual({ min: 5, missed: 'refund' })
  expect(ask({ minCrowd: 32, crowdMissed: 'deliver' })).toEqual({ min: 32, missed: 'deliver' })
  expect(ask({ ...SWAP, minCrowd: 2, crowdMissed: 'deliver' })).toEqual({
    ...{ min: 2, missed: 'deliver' },
  })
})

it.each([
  ['crowdMissed without minCrowd', { crowdMissed: 'refund' }, 'crowdMissed'],
  ['a top-up', { minCrowd: 2, balanceKey: '00' }, 'minCrowd'],
  ['a payment out of a balance', { minCrowd: 2, balance: 'sotto2_' }, 'minCrowd'],
  ['a swap that asks for a refund', { ...SWAP, minCrowd: 2 }, 'crowdMissed'],
])('%s is refused', (_name, request, param) => {
  expect(() => ask(request)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      context: expect.objectContaining({ param }),
    }),
  )
})

it('a crowd that can never be reached is refused', () => {
  const refused = expect.objectContaining({
    code: 'INVALID_REQUEST',
    context: expect.objectContaining({ param: 'minCrowd' }),
  })
  expect(() => ask({ minCrowd: 2 }, { minDelaySeconds: 0, maxDelaySeconds: 0 })).toThrow(refused)
  expect(() => ask({ minCrowd: 2 }, { minDelaySeconds: 1_700, maxDelaySeconds: 1_700 })).toThrow(
    refused,
  )
  // Even with 256 other wallets, the observer would guess the sender with a chance of one fifth.
  expect(ask({ minCrowd: 5 }, { minDelaySeconds: 0, maxDelaySeconds: 10 })?.min).toBe(5)
  expect(() => ask({ minCrowd: 6 }, { minDelaySeconds: 0, maxDelaySeconds: 10 })).toThrow(refused)
  expect(ask({ minCrowd: 32 }, { minDelaySeconds: 0, maxDelaySeconds: 900 })?.min).toBe(32)
})

it('a refund for a missed crowd is refused if a late deposit would leave no time to wait', () => {
  const refused = expect.objectContaining({
    code: 'INVALID_REQUEST',
    context: expect.objectContaining({ param: 'crowdMissed' }),
  })
  expect(() => ask({ minCrowd: 2 }, USUAL, 600)).toThrow(refused)
  expect(ask({ minCrowd: 2, crowdMissed: 'deliver' }, USUAL, 600)?.missed).toBe('deliver')
  expect(ask({ minCrowd: 2 }, USUAL, 1_200)?.missed).toBe('refund')
})
