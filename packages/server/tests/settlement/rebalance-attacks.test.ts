import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { AccountRole, type Instruction } from '@solana/kit'
import { amount, associatedTokenAddress, NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readAccounts } from '../../src/adapters/rpc/read-accounts.ts'
import { readTradeAccounts } from '../../src/operator/inventory/trade-accounts.ts'
import { tradeInstructions } from '../../src/operator/inventory/trade-instructions.ts'
import { JUPITER, meta, type GivenRoute, type JupiterServer } from '../remote/jupiter-server.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { land } from './stack/orders.ts'
import { bequest } from './stack/token-calls.ts'
import { waitUntil } from './stack/stack.ts'
import { startTrading, USDC_IN_SOL, type TradingStack } from './stack/trading-stack.ts'
import { makeWallet } from './stack/wallet.ts'

let trading: TradingStack
let admin: Address
let usdc: Address
let own: Address
let other: Address
beforeAll(async () => {
  trading = await startTrading()
  const { stack } = trading
  admin = stack.admin.address
  usdc = stack.usdc
  own = await associatedTokenAddress(admin, usdc)
  const { mint } = await stack.localnet.local<{ mint: Address }>('localnet_createMint', [
    { decimals: 6, symbol: 'OTHER' },
  ])
  await stack.localnet.local('localnet_mintTokens', [admin, mint, '1000'])
  other = await associatedTokenAddress(admin, mint)
  await waitUntil(async () => {
    const { accounts } = await readAccounts(stack.rpc, [other], { commitment: 'confirmed' })
    return accounts[0] !== undefined
  })
})
afterAll(() => trading?.close())
beforeEach(() => trading.reset())

async function expectRefused(disturb: JupiterServer['disturb'], refusal: RegExp): Promise<void> {
  const before = await trading.books()
  trading.jupiter.disturb = disturb
  await expect(trading.rebalance()).rejects.toThrow(refusal)
  expect(await trading.books()).toEqual(before)
}

/** A route whose swap also names this account. */
const naming =
  (account: () => ReturnType<typeof meta>) =>
  (route: GivenRoute): GivenRoute => ({
    ...route,
    swapInstruction: {
      ...route.swapInstruction,
      accounts: [...route.swapInstruction.accounts, account()],
    },
  })
const tip = { programId: SYSTEM_PROGRAM_ADDRESS, accounts: [], data: '' }

describe('a route is refused before anything is signed if it', () => {
  it.each<[string, (route: GivenRoute) => GivenRoute, RegExp]>([
    [
      'needs another signature',
      naming(() => meta(makeWallet().address, false, true)),
      /a signature other than/,
    ],
    [
      'names the pool, whose admin signs the trade',
      naming(() => meta(PROGRAM, false)),
      /names the pool/,
    ],
    ['may change another account of the admin', naming(() => meta(other)), /another account/],
    [
      'has an instruction that pays a tip',
      (route) => ({ ...route, otherInstructions: [tip] }),
      /more than the swap/,
    ],
    [
      'has an instruction that cleans up',
      (route) => ({ ...route, cleanupInstruction: tip }),
      /more than the swap/,
    ],
    [
      'prepares more than the accounts of the trade',
      (route) => ({ ...route, setupInstructions: [tip] }),
      /more than the swap/,
    ],
    [
      "calls a program other than Jupiter's",
      (route) => ({
        ...route,
        swapInstruction: { ...route.swapInstruction, programId: TOKEN_PROGRAM_ADDRESS },
      }),
      /isn't Jupiter's/,
    ],
  ])('%s', async (_, route, refusal) => {
    await expectRefused({ route }, refusal)
  })

  it("pays into an account that isn't the admin's", async () => {
    const moves: JupiterServer['disturb']['moves'] = ([sold, bought]) => [
      sold!,
      { ...bought!, to: bought!.from },
    ]
    await expectRefused({ moves }, /between the admin's own accounts/)
  })
})

describe('no trade is signed if the market', () => {
  it('pays less than it quoted', async () => {
    await expectRefused({ pays: ({ quoted }) => (quoted * 98n) / 100n }, /would fail now/)
  })

  it('pays nothing after it quoted far more than the price', async () => {
    const quote = { outAmount: '99999999999999' }
    await expectRefused({ quote, pays: () => 0n }, /would fail now/)
  })

  it("takes one base unit more than the sold amount from the admin's account", async () => {
    const moves: JupiterServer['disturb']['moves'] = ([sold, bought]) => [
      { ...sold!, units: sold!.units + 1n },
      bought!,
    ]
    await expectRefused({ moves }, /would fail now/)
  })

  it.each(['owner', 'close'] as const)(
    "takes the authority `%s` over the admin's account",
    async (kind) => {
      const calls = () => [bequest(own, admin, kind, makeWallet().address)]
      await expectRefused({ calls }, /would fail now/)
    },
  )
})

/** The minimum that 150 USDC must buy, in lamports: their value in SOL minus 1 %. */
const MINIMUM = amount(990_000_000n)

/**
 * Sends the same transaction as a real trade of 150 USDC, with additional instructions after the swap. The trade isn't
 * simulated first.
 */
async function sendUnrehearsed(...more: readonly Instruction[]): Promise<void> {
  const { stack, parts } = trading
  const amountIn = amount(150_000_000n)
  const asked = { sell: usdc, buy: NATIVE_MINT, amountIn, slippageBps: 100, accountsMax: 40 }
  const market = parts().openMarket()
  const { swap } = await market.findRoute(await market.quote(asked), admin)
  const all = await tradeInstructions({
    ...{ program: PROGRAM, amountIn, swap, feeMax: amount(5_000n) },
    accounts: await readTradeAccounts(stack.rpc, admin, usdc, NATIVE_MINT),
    amountOutMin: MINIMUM,
  })
  const at = all.indexOf(swap)
  await land(stack, stack.admin, [...all.slice(0, at + 1), ...more, ...all.slice(at + 1)])
}

/** An instruction of the program at Jupiter's address that takes lamports out of the admin's wallet. */
function takingLamports(units: bigint): Instruction {
  const data = Buffer.alloc(14)
  data[2] = 2
  data.writeBigUInt64LE(units, 6)
  return {
    ...{ programAddress: JUPITER, data },
    accounts: [
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
      { address: admin, role: AccountRole.WRITABLE_SIGNER },
      { address: trading.makersAccount(NATIVE_MINT), role: AccountRole.WRITABLE },
    ],
  }
}

it('the chain refuses a trade that takes more than the agreed amounts', async () => {
  // The amount that the market pays for 150 USDC beyond the agreed minimum.
  const surplus = (150_000_000n * USDC_IN_SOL) / 10n ** 9n - MINIMUM
  await sendUnrehearsed(takingLamports(surplus))
  const before = await trading.books()
  const failed = { ...before, lamports: before.lamports - 5_000n }
  await expect(sendUnrehearsed(takingLamports(surplus + 1n))).rejects.toThrow(/failed/)
  expect(await trading.books()).toEqual(failed)
  trading.jupiter.disturb = {
    moves: ([sold, bought]) => [{ ...sold!, units: sold!.units + 1n }, bought!],
  }
  await expect(sendUnrehearsed()).rejects.toThrow(/failed/)
  expect((await trading.books()).tokens).toBe(before.tokens)
})
