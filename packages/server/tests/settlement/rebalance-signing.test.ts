import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  AccountRole,
  getTransactionDecoder,
  type Base64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit'
import {
  addressBytes,
  amount,
  associatedTokenAddress,
  NATIVE_MINT,
  STEP_MAX,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readAccounts } from '../../src/adapters/rpc/read-accounts.ts'
import { readTradeAccounts } from '../../src/operator/inventory/trade-accounts.ts'
import { tradeInstructions } from '../../src/operator/inventory/trade-instructions.ts'
import { JUPITER } from '../remote/jupiter-server.ts'
import { makeLookupTable } from './stack/lookup-table.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { land } from './stack/orders.ts'
import { waitUntil } from './stack/stack.ts'
import { startTrading, type Rebalanced, type TradingStack } from './stack/trading-stack.ts'

let trading: TradingStack
beforeAll(async () => {
  trading = await startTrading()
})
afterAll(() => trading?.close())
beforeEach(() => trading.reset())

it('a simulation sends no signature to a node', async () => {
  const { rpc } = trading.stack
  const signatures: unknown[] = []
  const simulate = (wire: Base64EncodedWireTransaction, options: never) => {
    const { signatures: given } = getTransactionDecoder().decode(Buffer.from(wire, 'base64'))
    signatures.push(...Object.values(given))
    return rpc.simulateTransaction(wire, options)
  }
  trading.node.set('simulateTransaction', simulate)
  await trading.rebalance()
  trading.jupiter.disturb = { pays: () => 1n }
  await expect(trading.rebalance()).rejects.toThrow(/nothing was signed/)
  // None of the three simulated transactions had a signature: the trade, the transaction that adds its surplus, and the
  // refused trade.
  expect(signatures).toEqual([null, null, null])
})

it('a trade is not signed if the price has moved during its simulation', async () => {
  const { stack, node, market } = trading
  const slow = (wire: Base64EncodedWireTransaction, options: never) => {
    market.level = 9_500n
    return stack.rpc.simulateTransaction(wire, options)
  }
  node.set('simulateTransaction', slow)
  const before = await trading.books()
  await expect(trading.rebalance()).rejects.toThrow(/the price has moved.*nothing was signed/)
  expect(await trading.books()).toEqual(before)
})

const readLanded = async (signature: string | null) => {
  const options = { commitment: 'confirmed', encoding: 'json' } as const
  const found = await trading.stack.rpc
    .getTransaction(signature as never, { ...options, maxSupportedTransactionVersion: 0 })
    .send()
  return found!.transaction.message
}

it("a lookup table replaces only the market's accounts", async () => {
  const { stack, jupiter, makersAccount } = trading
  const ours = [
    ...[stack.usdc, NATIVE_MINT, await associatedTokenAddress(stack.admin.address, stack.usdc)],
    await vaultAddress(PROGRAM, stack.usdc),
  ]
  const theirs = makersAccount(stack.usdc)
  const table = await makeLookupTable(stack, [...ours, theirs])
  jupiter.disturb = { route: (route) => ({ ...route, addressLookupTableAddresses: [table] }) }
  const [trade] = (await trading.rebalance()).trades
  const { accountKeys } = await readLanded(trade!.signature)
  expect(accountKeys).toEqual(expect.arrayContaining(ours))
  expect(accountKeys).not.toContain(theirs)
})

const EXPIRY_SECONDS = 120

it('a trade that expired is not signed again', async () => {
  const { stack, node, limits } = trading
  limits.ceiling = STEP_MAX
  const sent = new Set<unknown>()
  const expire = (wire: never) => ({
    send: async () => {
      if (!sent.has(wire)) await stack.localnet.local('localnet_advanceTime', [EXPIRY_SECONDS])
      sent.add(wire)
    },
  })
  node.set('sendTransaction', expire)
  const before = await trading.books()
  await expect(trading.rebalance()).rejects.toThrow(/nothing has changed.*price.*run the command/)
  expect(sent.size).toBe(1)
  expect(await trading.books()).toEqual(before)
})

it('a command reports that its transaction may have landed if a node fails', async () => {
  const { node, pace } = trading
  pace.factor = 100
  const failing = () => ({ send: () => Promise.reject(new Error('down')) })
  node.set('getSignatureStatuses', failing)
  const { usdc } = await trading.books()
  await expect(trading.rebalance()).rejects.toThrow(/may have landed/)
  node.clear()
  await waitUntil(async () => (await trading.books()).usdc === usdc - 1_500_000_000n)
})

it('a trade that landed is printed even if the next trade fails', async () => {
  const { stack } = trading
  const { mint } = await stack.localnet.local<{ mint: Address }>('localnet_createMint', [
    { decimals: 6, symbol: 'THIRD' },
  ])
  await waitUntil(async () => {
    const { accounts } = await readAccounts(stack.rpc, [mint], { commitment: 'confirmed' })
    return accounts[0] !== undefined
  })
  await stack.operate(
    ...['asset', 'add', '--admin', stack.adminFile, '--mint', mint, '--symbol', 'THIRD'],
    ...['--name', 'THIRD', '--service-bps', '20', '--network-fee-exists', '1000'],
    ...['--network-fee-created', '2000', '--input-max', '100000000000'],
    ...['--swap-cap', '100000000000', '--swap-period', '3600'],
  )
  // The market has no route for the third asset.
  const targets = `${NATIVE_MINT}=90%,${mint}=9%,${stack.usdc}=1%`
  const words = ['--targets', targets, '--max-worth', '100000000000']
  const before = await trading.books()
  trading.printed.length = 0
  await expect(trading.rebalance(...words)).rejects.toThrow(/Jupiter knows no route/)
  const [shown] = trading.printed as Rebalanced[]
  expect(shown?.trades).toMatchObject([{ sell: stack.usdc, signature: expect.any(String) }])
  expect((await trading.books()).sol).toBe(before.sol + BigInt(shown!.trades[0]!.added!))
})

/** Makes the admin's wallet an account that the program at Jupiter's address owns. */
function taking(wallet: Address): Instruction {
  const data = Buffer.concat([Uint8Array.of(0, 0, 1, 0, 0, 0), addressBytes(JUPITER)])
  return {
    ...{ programAddress: JUPITER, data },
    accounts: [
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
      { address: wallet, role: AccountRole.WRITABLE_SIGNER },
    ],
  }
}

// This test must be the last. If the trade landed, the admin's wallet could not pay for other tests.
it('a trade fails if it changes the owner of the admin’s wallet', async () => {
  const { stack, parts } = trading
  const admin = stack.admin.address
  const amountIn = amount(1_000_000_000n)
  const asked = { sell: NATIVE_MINT, buy: stack.usdc, amountIn, slippageBps: 100, accountsMax: 40 }
  const market = parts().openMarket()
  const { swap } = await market.findRoute(await market.quote(asked), admin)
  const accounts = await readTradeAccounts(stack.rpc, admin, NATIVE_MINT, stack.usdc)
  const all = await tradeInstructions({
    ...{ program: PROGRAM, amountIn, swap, accounts, feeMax: accounts.lamports },
    amountOutMin: amount(100_000_000n),
  })
  const at = all.indexOf(swap) + 1
  const taken = [...all.slice(0, at), taking(admin), ...all.slice(at)]
  await expect(land(stack, stack.admin, taken)).rejects.toThrow(/failed/)
})
