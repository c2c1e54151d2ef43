import { amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { BEFORE_EXPIRY_SECONDS, type CrowdWish } from '../../domain/crowd.ts'
import { deliver } from './deliver.ts'

const EXPIRY = unixSeconds(100_200n)
const WAIT_END = unixSeconds(EXPIRY - BEFORE_EXPIRY_SECONDS)
const SIGNED = new Error('the settlement was signed')

/**
 * Delivers a transfer. Its crowd is complete before the proof, but not after it. Returns the result of the delivery.
 */
async function outcomeOf(
  crowd: CrowdWish | undefined,
  clock: bigint,
  { payee = 'payable', nodes = 1 } = {},
): Promise<unknown> {
  const opened = {
    ...{ order: { orderId: new Uint8Array(16) }, plan: { deliverAtMs: 0 }, leaf: 5n, leafIndex: 0 },
    secrets: {
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
    ...{ terms: { crowd, accountExisted: true, recipient: 'recipient' } },
    note: { mint: 'mint', expiry: EXPIRY, deadline: unixSeconds(50_000n) },
  } as unknown as Parameters<typeof deliver>[1]
  const relayer = { address: 'relayer' }
  let proofs = 0
  const d = {
    prices: { floor: 0, ceiling: 4, percentile: 75, orderMax: amount(1_000_000n) },
    relayers: [relayer],
    random: { below: () => 0 },
    store: { readPrice: async () => ({ step: 0 }), tryReplacePlan: async () => true },
    ...{ clock: { nowMs: () => 0 }, log: { alert: () => undefined } },
    tree: { size: 1, locate: () => ({}), leaf: () => 5n },
    proofs: { find: () => ({ isProof: (proofs += 1) > 0 }) },
    crowds: { isThere: async () => proofs === 0 },
    chain: {
      readClock: async () => unixSeconds(clock),
      readPayee: async () => payee,
      hasWitnesses: nodes > 1,
      readBalances: async () => ({ balances: [10n ** 12n], lamportsPerByte: 6_960n }),
      sign: () => Promise.reject(SIGNED),
    },
  } as unknown as Parameters<typeof deliver>[0]
  return deliver(d, opened, {} as never).then(
    () => 'waits',
    (error: unknown) => error,
  )
}

it('I11: waits for the crowd again if the crowd is lost during the proof', async () => {
  expect(await outcomeOf({ min: 3, missed: 'refund' }, WAIT_END - 1n)).toBe('waits')
  expect(await outcomeOf({ min: 3, missed: 'refund' }, WAIT_END)).toBe('waits')
  expect(await outcomeOf({ min: 3, missed: 'deliver' }, WAIT_END - 1n)).toBe('waits')
})

it('delivers without a count if the transfer needs no crowd, or no longer needs its crowd', async () => {
  expect(await outcomeOf(undefined, WAIT_END - 1n)).toBe(SIGNED)
  expect(await outcomeOf({ min: 3, missed: 'deliver' }, WAIT_END)).toBe(SIGNED)
})

it('tries a payee once more shortly before the expiry if only one of several nodes refuses the payee', async () => {
  const blocked = { payee: 'blocked', nodes: 2 }
  expect(await outcomeOf(undefined, EXPIRY - 301n, blocked)).toBe('waits')
  expect(await outcomeOf(undefined, EXPIRY - 300n, blocked)).toBe(SIGNED)
  expect(await outcomeOf(undefined, EXPIRY - 300n, { ...blocked, nodes: 1 })).toBe('waits')
})
