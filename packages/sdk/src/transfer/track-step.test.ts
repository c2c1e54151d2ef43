import {
  CLOCK_SYSVAR,
  encodeTicket,
  lastRefundClock,
  MAX_DEPOSIT_SECONDS,
  poolAddress,
  unixSeconds,
  type Address,
} from '@sotto/protocol'
import { getAddressEncoder } from '@solana/kit'
import { describe, expect, it } from 'vitest'
import { trackStep } from './track-step.ts'

const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
const WALLET = 'SysvarC1ock11111111111111111111111111111111' as Address
const SOL = 'So11111111111111111111111111111111111111112' as Address
const LEAF = 3n
const EXPIRY = 1_800_003_600n
const DEADLINE = EXPIRY - MAX_DEPOSIT_SECONDS
const HOUR = 3_600n

const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()
const orderId = new Uint8Array(16).fill(7)
const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`
const recovery = encodeTicket({
  ...{ program: PROGRAM, orderId },
  note: {
    ...{ nk: 2n ** 200n + 5n, sender: WALLET, mint: SOL, value: 10n as never },
    claim: { kind: 'transfer', recipient: WALLET, amountOut: 9n as never },
    ...{ deadline: unixSeconds(DEADLINE), expiry: unixSeconds(EXPIRY) },
  },
})
const state = {
  ...{ step: 'deposited', request: { senderAddress: WALLET }, signature: null, leafIndex: '3' },
  order: { trackingId, recovery, expiration: isoOf(DEADLINE), deliverBy: isoOf(EXPIRY) },
} as never

function orderAccount() {
  const data = Buffer.alloc(56)
  data.writeUInt8(4, 0)
  data.writeBigInt64LE(DEADLINE, 8)
  data.writeBigUInt64LE(LEAF, 16)
  data.set(getAddressEncoder().encode(WALLET), 24)
  return { owner: PROGRAM, data: [data.toString('base64'), 'base64'] }
}

function poolAccount() {
  const data = Buffer.alloc(176)
  data.writeUInt8(1, 0)
  return { owner: PROGRAM, data: [data.toString('base64'), 'base64'] }
}

function clockAccount(seconds: bigint) {
  const data = Buffer.alloc(40)
  data.writeBigInt64LE(seconds, 32)
  const owner = 'Sysvar1111111111111111111111111111111111111'
  return { owner, data: [data.toString('base64'), 'base64'] }
}

interface Scene {
  readonly chain: bigint
  /** The chain's clock minus the machine's clock, in seconds. */
  readonly behind?: bigint
  readonly status: () => Promise<unknown>
  /** The accounts that the node shows besides the clock: by default those of the paid order. */
  readonly shows?: 'nothing' | 'the pool'
}

/** Follows a paid order whose note is never settled. Each pause takes ten minutes of both clocks. */
async function follow({ chain, behind = 0n, status, shows }: Scene) {
  const pool = await poolAddress(PROGRAM)
  let now = chain
  let pauses = 0
  let order: string | undefined
  const shown = (account: string) => {
    if (account === CLOCK_SYSVAR) return clockAccount(now)
    if (shows === 'nothing') return null
    if (account === pool) return poolAccount()
    if (shows === 'the pool') return null
    // The step reads the Order account first. The Nullifier account, which it reads later, doesn't exist.
    order ??= account
    return account === order ? orderAccount() : null
  }
  const host = {
    ...{ nowMs: () => Number(now - behind) * 1_000, fraction: () => 0 },
    sleep: async () => {
      now += 600n
      pauses += 1
      if (pauses > 2_000) throw new Error('the transfer waits for ever')
    },
  }
  const rpc = {
    getMultipleAccounts: (accounts: readonly string[]) => ({
      send: async () => ({ value: accounts.map(shown) }),
    }),
  }
  const context = { rpc, programId: PROGRAM, host, pollMs: 3_000, signal: undefined }
  const service = { status, hintDeposit: status }
  const running = trackStep({ ...context, service } as never, state)
  return { running, chainNow: () => now }
}

const deposited = async () => ({ status: 'deposited', final: false, eta: 60 })
const until = isoOf(lastRefundClock(EXPIRY))

it('reports until when overdue money can be refunded if the service says deposited', async () => {
  const { running, chainNow } = await follow({ chain: EXPIRY - 60n, status: deposited })
  await expect(running).rejects.toMatchObject({
    ...{ name: 'OverdueError', refundableUntil: until, canRefund: true },
    message: expect.stringContaining(`until ${until}`),
  })
  expect(chainNow()).toBeGreaterThan(EXPIRY + HOUR)
  expect(chainNow()).toBeLessThan(EXPIRY + 3n * HOUR)
})

it('notices overdue money even if the machine’s clock is behind', async () => {
  const { running, chainNow } = await follow({
    ...{ chain: EXPIRY - 60n, behind: 400n * 86_400n },
    status: deposited,
  })
  await expect(running).rejects.toMatchObject({ name: 'OverdueError' })
  expect(chainNow()).toBeLessThan(EXPIRY + 3n * HOUR)
})

it('names overdue money as the cause if the service does not answer', async () => {
  const status = () => Promise.reject(new Error('offline'))
  const { running } = await follow({ chain: EXPIRY + 2n * HOUR, status })
  await expect(running).rejects.toMatchObject({ name: 'OverdueError' })
})

it('names overdue money as the cause if the service reports a refund', async () => {
  const status = async () => ({ status: 'refunded', final: true })
  const { running } = await follow({ chain: EXPIRY + 2n * HOUR, status })
  await expect(running).rejects.toMatchObject({ name: 'OverdueError' })
})

it('promises no refund after the last second in which a refund is possible', async () => {
  const chain = lastRefundClock(EXPIRY) + 1n
  const { running } = await follow({ chain, status: deposited })
  await expect(running).rejects.toMatchObject({ name: 'OverdueError', canRefund: false })
})

it('waits while the service still has time for its own refund', async () => {
  let polls = 0
  const status = async () => {
    polls += 1
    if (polls > 5) throw new Error('the service fails')
    return deposited()
  }
  const { running, chainNow } = await follow({ chain: EXPIRY + 60n, status })
  await expect(running).rejects.toThrow('the service fails')
  expect(chainNow()).toBeLessThan(EXPIRY + HOUR)
})

describe('an order that the node does not show after its deadline', () => {
  const status = async () => ({ status: 'delivered', final: true })
  const scene = { chain: DEADLINE + 1n, status }

  it('has expired if the node shows the pool', async () => {
    const { running } = await follow({ ...scene, shows: 'the pool' })
    await expect(running).resolves.toMatchObject({ step: 'done', result: { outcome: 'expired' } })
  })

  it('does not count as expired if the node does not show the pool', async () => {
    const { running } = await follow({ ...scene, shows: 'nothing' })
    await expect(running).rejects.toMatchObject({ name: 'RecoveryError', code: 'WRONG_CLUSTER' })
  })
})
