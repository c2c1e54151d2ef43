import { getCreateAccountInstruction } from '@solana-program/system'
import { getInitializeAccount3Instruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { createNoopSigner } from '@solana/kit'
import { amount, STEP_MAX } from '@sotto/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sendTransaction } from '../../src/adapters/chain/settlement/send-transaction.ts'
import { signTransaction } from '../../src/adapters/chain/settlement/sign-transaction.ts'
import { sqlPriceStore } from '../../src/adapters/store/settlement/price-store.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, readState, waitForStatus } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet, type Wallet } from './stack/wallet.ts'

const TOKEN_ACCOUNT_BYTES = 165
/** Milliseconds by which the test advances the worker's clock in each poll. This ends the worker's pauses. */
const HURRY_MS = 10_000

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

/** Turns the wallet's address into a token account, as the wallet's owner can. */
async function turnIntoTokenAccount(wallet: Wallet): Promise<void> {
  const { admin, rpc, usdc } = stack
  const space = TOKEN_ACCOUNT_BYTES
  const lamports = await rpc.getMinimumBalanceForRentExemption(BigInt(space)).send()
  const payer = createNoopSigner(admin.address)
  const newAccount = createNoopSigner(wallet.address)
  const programAddress = TOKEN_PROGRAM_ADDRESS
  const { wire } = await signTransaction(
    rpc,
    [admin, wallet],
    [
      getCreateAccountInstruction({ payer, newAccount, lamports, space, programAddress }),
      getInitializeAccount3Instruction({
        account: wallet.address,
        mint: usdc,
        owner: admin.address,
      }),
    ],
  )
  await sendTransaction(rpc, wire)
  await waitUntil(async () => (await lamportsOf(stack, wallet.address)) === lamports)
}

/** Starts an engine that counts its proofs. */
function startCounting(
  ...more: Parameters<typeof startEngine> extends [unknown, ...infer R] ? R : never
) {
  const proofs = { count: 0 }
  const prover = {
    ...stack.prover,
    prove: (...witness: Parameters<Stack['prover']['prove']>) => {
      proofs.count += 1
      return stack.prover.prove(...witness)
    },
  }
  return { proofs, engine: startEngine({ ...stack, prover }, ...more) }
}

it('no proof is made for a payee whose wallet became a token account', async () => {
  const [turned, other] = [makeWallet(), makeWallet()]
  const wish = { amountOut: 30_000_000n, fee: 80_000n }
  const blocked = await placeOrder(stack, { ...wish, recipient: turned.address })
  const next = await placeOrder(stack, { ...wish, recipient: other.address })
  await deposit(stack, blocked)
  await turnIntoTokenAccount(turned)
  const counting = startCounting()
  engine = counting.engine
  const secrets = (await stack.secrets.read(blocked.epoch))!
  const name = Buffer.from(secrets.pseudonym(blocked.terms.orderId)).toString('hex')
  await waitUntil(async () => counting.engine.reports.alerts.includes('recipient_not_payable'))
  expect(counting.engine.reports.named).toContain(`recipient_not_payable ${name}`)
  await deposit(stack, next)
  await waitForStatus(stack, next, 'delivered')
  expect(counting.proofs.count).toBe(1)
  expect((await readState(stack, blocked)).attempts).toEqual([])
})

it('a settlement is tried again with the same proof if a simulation refuses it', async () => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: 30_000_000n, fee: 80_000n, recipient })
  await deposit(stack, order)
  let refusals = 0
  let aheadMs = 0
  const counting = startCounting(
    (chain) => ({
      ...chain,
      simulate: async (signed) => {
        if (refusals >= 5) return chain.simulate(signed)
        refusals += 1
        return 'refused'
      },
    }),
    { nowMs: () => Date.now() + aheadMs },
  )
  engine = counting.engine
  await waitUntil(async () => {
    aheadMs += HURRY_MS
    return (await readState(stack, order)).status === 'delivered'
  })
  expect(refusals).toBe(5)
  expect(counting.engine.reports.alerts).toContain('settlement_refused')
  // If the time crosses a step of the public-time grid during the test, a second proof is made.
  expect(counting.proofs.count).toBeLessThanOrEqual(2)
})

it('an order waits for a lower price if a settlement would cost more than the order’s limit', async () => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: 30_000_000n, fee: 80_000n, recipient })
  await deposit(stack, order)
  await sqlPriceStore(stack.database).raisePrice(STEP_MAX)
  let aheadMs = 0
  // The limit for an order is lower than the cost of a settlement at any price above the minimum.
  const limits = { floor: 0, ceiling: STEP_MAX, percentile: 75, orderMax: amount(1n) }
  engine = startEngine(stack, undefined, { nowMs: () => Date.now() + aheadMs }, { prices: limits })
  await waitUntil(async () => engine!.reports.alerts.includes('order_cost_at_limit'))
  expect((await readState(stack, order)).attempts).toEqual([])
  await stack.database.query('UPDATE unit_price SET step = 0', [])
  await waitUntil(async () => {
    aheadMs += HURRY_MS
    return (await readState(stack, order)).status === 'delivered'
  })
})
