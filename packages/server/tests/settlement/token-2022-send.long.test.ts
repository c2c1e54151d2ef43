import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, placeOrder, tokensOf, waitForStatus } from './stack/orders.ts'
import { startStack, type Stack } from './stack/stack.ts'
import {
  makeMint2022,
  METADATA_POINTER,
  mintTokens2022,
  PERMANENT_DELEGATE,
} from './stack/token-2022.ts'
import { makeWallet } from './stack/wallet.ts'

let stack: Stack
let engine: Engine
let mint: Address

const addAsset = (asset: Address) =>
  stack.operate<{ kind: string; isFreezable: boolean }>(
    ...['asset', 'add', '--admin', stack.adminFile, '--mint', asset, '--swappable'],
    ...['--symbol', 'T22', '--name', 'Test token', '--service-bps', '20'],
    ...['--network-fee-exists', '1000', '--network-fee-created', '2000'],
    ...['--input-max', '100000000000', '--swap-cap', '100000000000', '--swap-period', '3600'],
  )
const inventory = (direction: 'add' | 'remove', amount: string) =>
  stack.operate<{ inventory: string }>(
    ...['inventory', direction, '--admin', stack.adminFile, '--mint', mint, '--amount', amount],
  )

beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack)
  mint = await makeMint2022(stack, METADATA_POINTER)
  await mintTokens2022(stack, stack.admin.address, mint, 1_000_000_000n)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

it('a Token-2022 mint can be added if all its extensions are harmless', async () => {
  expect(await addAsset(mint)).toMatchObject({ kind: 'token2022', isFreezable: false })
  const refused = await makeMint2022(stack, PERMANENT_DELEGATE)
  await expect(addAsset(refused)).rejects.toThrow(/"permanent delegate"/)
  expect(await inventory('add', '300000000')).toMatchObject({ inventory: '300000000' })
  expect(await inventory('remove', '1')).toMatchObject({ inventory: '299999999' })
})

it('a Token-2022 send creates the recipient’s missing account', async () => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, {
    mint,
    amountOut: 45_000_000n,
    fee: 110_000n,
    recipient,
    sealed: { accountExisted: false },
    fund: mintTokens2022,
  })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'delivered')
  expect(await tokensOf(stack, recipient, mint)).toBe(45_000_000n)
})

it('a swap pays Token-2022 tokens from the inventory', async () => {
  const recipient = makeWallet().address
  await mintTokens2022(stack, recipient, mint, 1n)
  const order = await placeOrder(stack, {
    mint,
    given: { mint: NATIVE_MINT, amountIn: 1_000_000_000n },
    amountOut: 149_000_000n,
    fee: 2_000_000n,
    recipient,
  })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'delivered')
  expect(await tokensOf(stack, recipient, mint)).toBe(149_000_001n)
  expect(engine.reports.alerts).toEqual([])
})
