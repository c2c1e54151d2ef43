import { fetchMaybeToken } from '@solana-program/token'
import { associatedTokenAddress, NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { approval } from './stack/token-calls.ts'
import { makeLookupTable } from './stack/lookup-table.ts'
import { placeOrder } from './stack/orders.ts'
import { startTrading, USDC_IN_SOL, type TradingStack } from './stack/trading-stack.ts'
import { makeWallet } from './stack/wallet.ts'

let trading: TradingStack
beforeAll(async () => {
  trading = await startTrading()
})
afterAll(() => trading?.close())
beforeEach(() => trading.reset())

/** Target shares with this percentage in USDC and the rest in SOL. */
const towards = (percent: number) => [
  '--targets',
  `${NATIVE_MINT}=${100 - percent}%,${trading.stack.usdc}=${percent}%`,
]

async function expectUnchanged(work: () => Promise<unknown>, refusal: RegExp): Promise<void> {
  const before = await trading.books()
  await expect(work()).rejects.toThrow(refusal)
  expect(await trading.books()).toEqual(before)
}

it('sells exactly the surplus, and adds to the inventory everything that the market paid', async () => {
  const before = await trading.books()
  const { trades } = await trading.rebalance()
  expect(trades).toMatchObject([{ sell: trading.stack.usdc, amountIn: '1500000000' }])
  const after = await trading.books()
  expect(after.usdc).toBe(before.usdc - 1_500_000_000n)
  const bought = (1_500_000_000n * USDC_IN_SOL) / 10n ** 9n
  expect(after.sol).toBe(before.sol + bought)
  expect(trades[0]!.added).toBe(`${bought}`)
  expect(after.tokens).toBe(before.tokens)
  // The admin has paid two fees and nothing else, because the account of wrapped SOL was closed again.
  expect(after.lamports).toBe(before.lamports - 10_000n)
})

it('sells SOL for USDC up to the limit', async () => {
  const before = await trading.books()
  const { trades } = await trading.rebalance(...towards(99))
  expect(trades).toMatchObject([
    { sell: NATIVE_MINT, amountIn: '10000000000', added: '1500000000' },
  ])
  expect(await trading.books()).toEqual({
    ...{ sol: before.sol - 10_000_000_000n, usdc: before.usdc + 1_500_000_000n },
    ...{ tokens: before.tokens, lamports: before.lamports - 10_000n },
  })
})

it('adds to the inventory exactly what the market pays', async () => {
  trading.jupiter.disturb = { pays: ({ quoted }) => quoted + 7n }
  const { sol } = await trading.books()
  const [more] = (await trading.rebalance()).trades
  const quoted = (1_500_000_000n * USDC_IN_SOL) / 10n ** 9n
  expect(more!.added).toBe(`${quoted + 7n}`)
  trading.jupiter.disturb = { pays: (swap) => (swap.quoted * 9_901n) / 10_000n }
  const [less] = (await trading.rebalance()).trades
  expect((await trading.books()).sol).toBe(sol + quoted + 7n + BigInt(less!.added!))
  expect(BigInt(less!.added!)).toBe((quoted * 9_901n) / 10_000n)
})

it('a route with lookup tables lands in a smaller transaction', async () => {
  const { stack, jupiter, makersAccount } = trading
  const table = await makeLookupTable(stack, [
    ...[stack.usdc, NATIVE_MINT, makersAccount(stack.usdc), makersAccount(NATIVE_MINT)],
  ])
  jupiter.disturb = { route: (route) => ({ ...route, addressLookupTableAddresses: [table] }) }
  const [trade] = (await trading.rebalance()).trades
  const options = { commitment: 'confirmed', encoding: 'json' } as const
  const found = await stack.rpc
    .getTransaction(trade!.signature as never, { ...options, maxSupportedTransactionVersion: 0 })
    .send()
  const message = { addressTableLookups: [{ accountKey: table }] }
  expect(found).toMatchObject({ transaction: { message } })
  expect(BigInt(trade!.added!)).toBeGreaterThan(9_900_000_000n)
})

it('a dry run simulates a trade and changes nothing', async () => {
  const before = await trading.books()
  const { trades } = await trading.rebalance('--dry-run')
  expect(trades).toMatchObject([{ sell: trading.stack.usdc, signature: null, added: null }])
  expect(await trading.books()).toEqual(before)
  trading.jupiter.disturb = { pays: () => 1n }
  await expect(trading.rebalance('--dry-run')).rejects.toThrow(/would fail now/)
})

it('an unsigned trade lands after the admin signed and submitted it', async () => {
  const { stack, operate } = trading
  const before = await trading.books()
  const made = await trading.rebalance<{ transaction: string; signers: string[] }>('--unsigned')
  expect(made.signers).toEqual([stack.admin.address])
  expect(await trading.books()).toEqual(before)
  const words = ['transaction', 'sign', made.transaction, '--keypair', stack.adminFile]
  const { transaction } = await operate<{ transaction: string }>(...words)
  await operate('transaction', 'submit', transaction)
  const after = await trading.books()
  // The inventory gets 1 % less than the ten SOL that 1,500 USDC are worth.
  expect(after.sol).toBe(before.sol + 9_900_000_000n)
  // The admin keeps what the market paid beyond the minimum, because `--unsigned` makes no second transaction that adds
  // this surplus to the inventory.
  expect(after.lamports).toBeGreaterThan(before.lamports)
})

it('a trade with a durable nonce is refused, because its price becomes outdated', async () => {
  const { address } = trading.stack.admin
  await expect(trading.rebalance('--unsigned', '--nonce', address)).rejects.toThrow(
    /soon becomes outdated/,
  )
})

it('nothing is sold if the market pays too little compared to our own prices', async () => {
  trading.jupiter.rates.set(`${trading.stack.usdc} ${NATIVE_MINT}`, (USDC_IN_SOL * 98n) / 100n)
  await expectUnchanged(() => trading.rebalance(), /the market offers/)
  expect((await trading.rebalance('--slippage-bps', '300')).trades).toHaveLength(1)
})

it('a trade is refused if the price moves while the market makes its route', async () => {
  trading.jupiter.disturb = {
    route: (route) => {
      // SOL has become cheaper, so the same tokens must buy 3 % more SOL.
      trading.market.level = 9_700n
      return route
    },
  }
  await expectUnchanged(() => trading.rebalance(), /would fail now/)
})

it('no trade is planned if two price sources do not agree', async () => {
  trading.market.skew = 10_200n
  await expect(trading.rebalance()).rejects.toThrow(/agree on no price/)
  Object.assign(trading.market, { skew: 10_000n, sources: 1 })
  await expect(trading.rebalance()).rejects.toThrow(/two price sources/)
  expect(trading.jupiter.asked.filter(({ method }) => method === 'POST')).not.toEqual([])
})

it('a market without a route is an error', async () => {
  trading.jupiter.rates.clear()
  await expectUnchanged(() => trading.rebalance(), /Jupiter knows no route/)
})

const reserve = async (units: bigint) =>
  placeOrder(trading.stack, {
    ...{ mint: trading.stack.usdc, recipient: makeWallet().address },
    ...{ given: { mint: NATIVE_MINT, amountIn: 10n }, amountOut: units - 1_000n, fee: 1_000n },
  })

it('the amount that unpaid swaps reserve is never sold', async () => {
  const { usdc } = await trading.books()
  const keep = 2_000_000_000n
  trading.jupiter.disturb = {
    route: async (route) => {
      await reserve(usdc - keep)
      return route
    },
  }
  const all = ['--max-worth', '100000000000', ...towards(1)]
  await expectUnchanged(() => trading.rebalance(...all), /swaps have reserved/)
  trading.reset()
  const { trades } = await trading.rebalance(...all)
  expect(trades).toMatchObject([{ amountIn: `${keep}` }])
  expect((await trading.books()).usdc).toBe(usdc - keep)
  expect((await trading.rebalance(...all)).trades).toEqual([])
})

it('a trade revokes a delegate that its swap appointed', async () => {
  const { stack, jupiter } = trading
  const account = await associatedTokenAddress(stack.admin.address, stack.usdc)
  jupiter.disturb = { calls: () => [approval(account, stack.admin.address, makeWallet().address)] }
  expect((await trading.rebalance(...towards(99))).trades).toHaveLength(1)
  const token = await fetchMaybeToken(stack.rpc, account, { commitment: 'confirmed' })
  expect(token).toMatchObject({ exists: true, data: { delegate: { __option: 'None' } } })
})
