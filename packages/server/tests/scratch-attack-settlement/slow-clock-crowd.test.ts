import { amount, unixSeconds, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { PublicEvent } from '../../src/domain/observed-deposits.ts'
import { afterCount } from '../../src/settlement/pay/await-crowd.ts'
import { confirmedTime } from '../../src/settlement/pay/next-step.ts'
import { Crowds } from '../../src/settlement/pay/crowds.ts'

const MINT = 'mint' as Address
const VALUE = amount(7n)
const THEN = 1_000_000
const usualDelay = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
const WALL_MS = (THEN + 7_200) * 1_000
const OLD = unixSeconds(BigInt(THEN))

it('I11: does not count old deposits if one of three nodes shows a clock that is two hours late', async () => {
  const events: PublicEvent[] = ['own', 'a', 'b'].map((wallet) => ({
    kind: 'deposit',
    atSeconds: THEN - 10,
    wallet: wallet as Address,
  }))
  const store = {
    readCursor: async () => ({ unixSeconds: OLD }),
    readShown: async () => [
      { mint: MINT, value: VALUE, events, habit: { deposits: 1_000, settlements: 1_000 } },
    ],
    readTariffs: async () => new Map(),
    listOpen: async () => [],
  }
  const clock = { nowMs: () => WALL_MS }
  const crowds = new Crowds({ store: store as never, clock, usualDelay })
  const delayLaw = { meanSeconds: 300, spreadSeconds: 1_800 }
  const opened = {
    order: { orderId: new Uint8Array(16) },
    terms: { crowd: { min: 3, missed: 'refund' }, minDelaySeconds: 0, maxDelaySeconds: 1_800 },
    note: { mint: MINT, value: VALUE, sender: 'own', expiry: BigInt(THEN + 20_000) },
    plan: { deliverAtMs: WALL_MS - 1 },
  }
  // Two other nodes have confirmed the true time.
  const witness = {
    confirmed: (given: bigint) => (given < BigInt(THEN + 7_200) ? given : BigInt(THEN + 7_200)),
  }
  const head = { slot: 9n, blockHeight: 9n, nextLeaf: 3n, unixSeconds: OLD }
  const time = confirmedTime({ clockMarginSeconds: 120n, witness } as never, head, WALL_MS)
  expect(await afterCount({ crowds, delayLaw } as never, opened as never, time)).toBe('miss_crowd')
})
