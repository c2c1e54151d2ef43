import {
  assetAddress,
  decodePool,
  decodeTicket,
  decodeTree,
  depositsOf,
  fieldFromBytes,
  NATIVE_MINT,
  poolAddress,
  programDataAddress,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import { readAccounts } from '../../src/adapters/rpc/read-accounts.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, quoteOf, send, solSend } from './partner-client.ts'
import { markSeen, submitDeposit } from './submit-deposit.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'

/** Addresses that the runtime reserves. Only the second address has an account. */
const SYSVARS = [
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
]

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack(openMigratedPglite)
})
afterAll(() => stack.close())

const submit = (transaction: string) => submitDeposit(stack, transaction)

/** Reads an account's data. Returns undefined if the account doesn't exist. */
async function readAccount(address: Address): Promise<Uint8Array | undefined> {
  const { accounts } = await readAccounts(stack.rpc, [address], { commitment: 'confirmed' })
  return accounts[0]?.data
}

const usdcSend = () => ({
  ...solSend(stack),
  ...{ sourceAssetId: stack.usdc, destinationAssetId: stack.usdc },
})

describe('a transfer over HTTP', () => {
  it('has a deposit with the quoted terms', async () => {
    const request = solSend(stack)
    const { quote, order } = await placed(stack, request)
    expect(quote.amountIn).toBe('1000000000')
    expect(quote.fee).toBe('2100000')
    expect(quote.amountOut).toBe('997900000')
    const [deposit] = depositsOf(PROGRAM, await submit(order.transaction))
    expect(deposit).toMatchObject({ amountIn: 1_000_000_000n, value: 1_000_000_000n })
    const { note } = decodeTicket(order.recovery)
    const { recipientAddress: recipient } = request
    expect(note.claim).toEqual({ kind: 'transfer', recipient, amountOut: 997_900_000n })
    expect(note).toMatchObject({ value: deposit!.value, deadline: deposit!.deadline })
    expect(new Date(order.expiration).getTime()).toBe(Number(deposit!.deadline) * 1_000)
    const status = await send(stack, 'GET', `/transfer/v1/status/${order.trackingId}`)
    const expected = { status: 'awaiting_deposit', final: false, nextAction: 'sign' }
    expect(status.body['order']).toMatchObject(expected)
  })

  it('has exactly the requested amount out in the mode exact_out', async () => {
    const partner = { feeBps: 50, feeRecipientAddress: stack.partner.address }
    const request = { ...usdcSend(), amount: '250000000', mode: 'exact_out', ...partner } as const
    const { quote, order } = await placed(stack, request)
    expect(quote.amountOut).toBe('250000000')
    expect(quote.networkFee).toBe('350000')
    const record = await submit(order.transaction)
    expect(record.meta!.err).toBeNull()
    const [deposit] = depositsOf(PROGRAM, record)
    expect(`${deposit!.partnerFee}`).toBe(quote.feeBreakdown.partnerFee)
  })

  it('swaps at the rate minus the spread', async () => {
    const request = { ...solSend(stack), destinationAssetId: stack.usdc }
    const { quote, order } = await placed(stack, request)
    expect((await quoteOf(stack, request)).rate).toBe('0.14955')
    const record = await submit(order.transaction)
    expect(record.meta!.err).toBeNull()
    const value = (BigInt(quote.amountIn) * 15n * 9_970n) / (100n * 10_000n)
    expect(depositsOf(PROGRAM, record)[0]!.value).toBe(value)
    // The fee is two thousandths of the value, plus the tariff for a new account. Both are in USDC.
    expect(quote.amountOut).toBe(`${value - (value * 20n) / 10_000n - 350_000n}`)
    const huge = { ...request, amount: '90000000000' }
    const refused = await send(stack, 'POST', '/transfer/v1/quote', { body: huge })
    expect(codeOf(refused)).toBe('AMOUNT_OUT_OF_RANGE')
    expect(BigInt(refused.body['max'] as string)).toBeLessThan(90_000_000_000n)
  })
})

describe('refreshing', () => {
  it('changes only the transaction, its expiry and the eta', async () => {
    const { order } = await placed(stack, solSend(stack))
    const url = `/transfer/v1/order/${order.trackingId}/refresh`
    await stack.localnet.local('localnet_advanceTime', [30])
    const refreshed = await send(stack, 'POST', url)
    const second = refreshed.body['order'] as typeof order
    expect(second.transaction).not.toBe(order.transaction)
    expect(second.lastValidBlockHeight).toBeGreaterThan(order.lastValidBlockHeight)
    const changing = ['transaction', 'blockhashExpiresAtSlot', 'lastValidBlockHeight', 'eta']
    for (const [name, value] of Object.entries(order)) {
      if (!changing.includes(name)) expect(second).toHaveProperty(name, value)
    }
    await submit(second.transaction)
    await markSeen(stack, order.trackingId)
    expect(codeOf(await send(stack, 'POST', url, { body: {} }))).toBe('ORDER_ALREADY_DEPOSITED')
  })

  it('lets a deposit land after its first transaction expired', async () => {
    const { order } = await placed(stack, solSend(stack))
    // After this time, the blockhash is no longer valid, but the order is still valid.
    await stack.localnet.local('localnet_advanceTime', [120])
    const cause = expect.objectContaining({ message: expect.stringMatching(/blockhash/i) })
    await expect(submit(order.transaction)).rejects.toThrow(expect.objectContaining({ cause }))
    const url = `/transfer/v1/order/${order.trackingId}/refresh`
    const renewed = (await send(stack, 'POST', url)).body['order'] as typeof order
    expect((await submit(renewed.transaction)).meta!.err).toBeNull()
    await expect(submit(order.transaction)).rejects.toThrow()
  })

  it('authorises no deposit while the service is paused', async () => {
    const { order } = await placed(stack, solSend(stack))
    const refresh = () => send(stack, 'POST', `/transfer/v1/order/${order.trackingId}/refresh`)
    const halt = async (reason: string | null) => {
      await stack.database.query(
        `INSERT INTO chain_cursor
           (program, domain, slot, block_height, unix_seconds, next_leaf, halted, updated_at)
         VALUES ('', '', 0, 0, 0, 0, $1, now())
         ON CONFLICT (only_row) DO UPDATE SET halted = excluded.halted`,
        [reason],
      )
      await stack.market.refresh()
    }
    await halt('books_differ')
    expect(codeOf(await refresh())).toBe('SERVICE_PAUSED')
    await halt(null)
    expect((await refresh()).status).toBe(200)
  })
})

describe('the leaf of an order', () => {
  const stored = async (trackingId: string) => {
    const [row] = await stack.database.query<{ leaf: Uint8Array }>(
      'SELECT leaf FROM orders WHERE id = $1',
      [decodeTrackingId(trackingId)],
    )
    return fieldFromBytes(new Uint8Array(row!.leaf))
  }

  /** Reads the newest leaf of the tree on the chain. */
  const newest = async () => {
    const { tree } = decodePool((await readAccount(await poolAddress(PROGRAM)))!)
    const { nextIndex, recent } = decodeTree((await readAccount(tree))!)
    return recent(Number(nextIndex) - 1).leaf
  }

  it.each(['a send', 'a swap', 'a send with a share'])(
    'equals the leaf that the deposit of %s appends after a refresh',
    async (what) => {
      const share = { feeBps: 50, feeRecipientAddress: stack.partner.address }
      const change = what === 'a swap' ? { destinationAssetId: stack.usdc } : {}
      const request = solSend(stack, { ...change, ...(what.endsWith('share') ? share : {}) })
      const { order } = await placed(stack, request)
      const leaf = await stored(order.trackingId)
      await stack.localnet.local('localnet_advanceTime', [40])
      const url = `/transfer/v1/order/${order.trackingId}/refresh`
      const refreshed = (await send(stack, 'POST', url)).body['order'] as typeof order
      expect(await stored(order.trackingId)).toBe(leaf)
      expect((await submit(refreshed.transaction)).meta!.err).toBeNull()
      expect(await newest()).toBe(leaf)
    },
  )
})

describe('bounds', () => {
  it.each(['exact_in', 'exact_out'] as const)(
    'are the least and the greatest accepted amount in the mode %s',
    async (mode) => {
      for (const request of [solSend(stack, { mode }), { ...usdcSend(), mode }]) {
        const { quote } = await quoteOf(stack, request)
        for (const [amount, isAccepted] of [
          [BigInt(quote.min), true],
          [BigInt(quote.max), true],
          [BigInt(quote.min) - 1n, false],
          [BigInt(quote.max) + 1n, false],
        ] as const) {
          const body = { ...request, amount: `${amount}` }
          const answer = await send(stack, 'POST', '/transfer/v1/quote', { body })
          expect(codeOf(answer)).toBe(isAccepted ? undefined : 'AMOUNT_OUT_OF_RANGE')
        }
      }
    },
  )

  it('let a deposit of the least amount of SOL land', async () => {
    const { quote } = await quoteOf(stack, solSend(stack))
    const { order } = await placed(stack, solSend(stack, { amount: quote.min }))
    expect((await submit(order.transaction)).meta!.err).toBeNull()
  })
})

describe('the operations', () => {
  it('list tokens and the account’s own orders', async () => {
    const tokens = await send(stack, 'GET', '/transfer/v1/tokens')
    expect((tokens.body['tokens'] as { symbol: string }[]).map(({ symbol }) => symbol)).toEqual([
      'SOL',
      'USDC',
    ])
    const request = solSend(stack)
    const { quote } = await quoteOf(stack, request)
    const { senderAddress, recipientAddress } = request
    const body = { quote, senderAddress, recipientAddress, reference: 'invoice 7' }
    await send(stack, 'POST', '/transfer/v1/order', { body })
    const first = await send(stack, 'GET', '/transfer/v1/orders?limit=1')
    const [newest] = first.body['orders'] as { reference?: string; trackingId: string }[]
    expect(newest!.reference).toBe('invoice 7')
    const cursor = first.body['nextCursor'] as string
    const next = await send(stack, 'GET', `/transfer/v1/orders?limit=100&cursor=${cursor}`)
    const others = next.body['orders'] as { trackingId: string }[]
    expect(others.length).toBeGreaterThan(2)
    expect(others.map(({ trackingId }) => trackingId)).not.toContain(newest!.trackingId)
    expect(next.body['nextCursor']).toBeNull()
  })

  it('log no address and no amount', async () => {
    const request = solSend(stack, { amount: '1234567891' })
    const { order } = await placed(stack, request)
    const body = { trackingId: order.trackingId, signature: 'wrong' }
    const hint = await send(stack, 'POST', '/transfer/v1/deposit', { body })
    expect(hint.body['order']).toMatchObject({ trackingId: order.trackingId })
    for (const secret of [
      request.senderAddress,
      request.recipientAddress,
      '1234567891',
      stack.apiKey,
      order.trackingId,
    ]) {
      expect(stack.logged()).not.toContain(secret)
    }
    expect(stack.logged()).toContain('/transfer/v1/deposit')
  })

  it.each([
    ['a program', PROGRAM, 'RECIPIENT_NOT_PAYABLE'],
    ['text that is not an address', 'not-an-address', 'INVALID_ADDRESS'],
  ] as const)('refuse %s as a recipient', async (_name, recipient, code) => {
    const body = solSend(stack, { recipientAddress: recipient })
    const answer = await send(stack, 'POST', '/transfer/v1/quote', { body })
    expect(codeOf(answer)).toBe(code)
    expect(answer.body['param']).toBe('recipientAddress')
  })

  it('refuse addresses for which no one has a key as recipients, in every asset', async () => {
    const pool = decodePool((await readAccount(await poolAddress(PROGRAM)))!)
    const mints = [NATIVE_MINT, stack.usdc]
    const own = [
      ...[await poolAddress(PROGRAM), pool.tree, await programDataAddress(PROGRAM)],
      ...(await Promise.all(mints.map((mint) => assetAddress(PROGRAM, mint)))),
      ...(await Promise.all(mints.map((mint) => vaultAddress(PROGRAM, mint)))),
    ]
    for (const one of own) expect(await readAccount(one)).toBeDefined()
    for (const recipientAddress of [...own, ...SYSVARS]) {
      for (const asset of mints) {
        const pair = { sourceAssetId: asset, destinationAssetId: asset }
        const body = solSend(stack, { ...pair, recipientAddress })
        const answer = await send(stack, 'POST', '/transfer/v1/quote', { body })
        expect(codeOf(answer)).toBe('RECIPIENT_NOT_PAYABLE')
      }
    }
  })

  it.each([
    ['too high a share', { feeBps: 101, partner: true }, 'FEE_BPS_EXCEEDS_CAP'],
    ['a share without a wallet', { feeBps: 50, partner: false }, 'FEE_RECIPIENT_REQUIRED'],
  ] as const)('refuse %s', async (_name, { feeBps, partner }, code) => {
    const recipient = partner ? { feeRecipientAddress: stack.partner.address } : {}
    const body = solSend(stack, { feeBps, ...recipient })
    expect(codeOf(await send(stack, 'POST', '/transfer/v1/quote', { body }))).toBe(code)
  })

  it('refuse a share for an unregistered wallet, and exact_out for a swap', async () => {
    const stranger = { feeBps: 50, feeRecipientAddress: makeWallet().address }
    const refused = await send(stack, 'POST', '/transfer/v1/quote', {
      body: solSend(stack, stranger),
    })
    expect(codeOf(refused)).toBe('FEE_RECIPIENT_NOT_REGISTERED')
    const swap = solSend(stack, { destinationAssetId: stack.usdc, mode: 'exact_out' })
    const answer = await send(stack, 'POST', '/transfer/v1/quote', { body: swap })
    expect(codeOf(answer)).toBe('MODE_NOT_SUPPORTED')
  })
})
