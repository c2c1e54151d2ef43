import type { Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, tokensOf, waitForStatus } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import {
  closeToken2022,
  makeMint2022,
  METADATA_POINTER,
  mintTokens2022,
} from './stack/token-2022.ts'
import { makeWallet } from './stack/wallet.ts'

const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
/** Lamports of rent for a Nullifier's 40 bytes. The relayer gets them back later. */
const NULLIFIER_RENT = 1_169_280n
const FEES_MAX = 100_000n

let stack: Stack
let engine: Engine
let mint: Address

beforeAll(async () => {
  stack = await startStack()
  mint = await makeMint2022(stack, METADATA_POINTER)
  await mintTokens2022(stack, stack.admin.address, mint, 1_000_000_000n)
  await stack.operate(
    ...['asset', 'add', '--admin', stack.adminFile, '--mint', mint, '--symbol', 'TOK'],
    ...['--name', 'Token', '--service-bps', '20', '--network-fee-exists', '1000'],
    ...['--network-fee-created', '2000', '--input-max', '100000000000'],
    ...['--swap-cap', '100000000000', '--swap-period', '3600'],
  )
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

async function relayersHold(): Promise<bigint> {
  const each = await Promise.all(stack.relayers.map(({ address }) => lamportsOf(stack, address)))
  return each.reduce((sum, one) => sum + one, 0n)
}

it('the relayer opens no account if the recipient closes the account after the simulation', async () => {
  const recipient = makeWallet()
  await stack.airdrop(recipient.address, 1_000_000_000n)
  await mintTokens2022(stack, recipient.address, mint, 0n)
  const wish = { mint, amountOut: 7_000_000n, fee: 30_000n, recipient: recipient.address }
  const order = await placeOrder(stack, { ...wish, fund: mintTokens2022 })
  await deposit(stack, order)
  const before = await relayersHold()
  let isOpen = true
  // The simulation succeeds. Then the recipient closes the account before the transaction lands.
  const closing = (chain: SettlementChain): SettlementChain => ({
    ...chain,
    broadcast: async (wire) => {
      if (isOpen) await closeToken2022(stack, recipient, mint)
      isOpen = false
      await chain.broadcast(wire)
    },
  })
  engine = startEngine(stack, closing)
  await waitForStatus(stack, order, 'delivering')
  await waitUntil(async () => !isOpen)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  const { outcome, attempts } = await waitForStatus(stack, order, 'refunded')
  expect(attempts[0]).toBe('deliver dead')
  expect(outcome).toMatchObject({ kind: 'refund', amount: 7_030_000n })
  expect(await tokensOf(stack, recipient.address, mint)).toBeUndefined()
  expect(await tokensOf(stack, order.sender.address, mint)).toBe(7_030_000n)
  const lost = before - (await relayersHold())
  expect(lost).toBeGreaterThanOrEqual(NULLIFIER_RENT)
  expect(lost).toBeLessThan(NULLIFIER_RENT + FEES_MAX)
})
