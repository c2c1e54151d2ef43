import { wasmPoseidon } from '@sotto/poseidon'
import { STEP_MAX, UNIT_PRICES } from '@sotto/protocol'
import { landNote, type LandingStep } from '@sotto/recovery'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCongestedNode, type CongestedNode } from '../../../../testing/stage/congested-node.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder } from './stack/orders.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const AMOUNT = 120_000_000n
/** Seconds of the chain's time that pass in each pause. The chain makes about ten blocks in this time. */
const ADVANCE_SECONDS = 1
const SEED = 7

let stack: Stack
let node: CongestedNode
beforeAll(async () => {
  stack = await startStack()
  node = await startCongestedNode(stack.localnet.rpcUrl, SEED)
})
afterAll(async () => {
  await node?.stop()
  await stack?.close()
})

it('recovery raises its price until its transaction lands', async () => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: AMOUNT, fee: 400_000n, recipient })
  await deposit(stack, order)
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  const steps: LandingStep[] = []
  let passedMs = 0
  const signature = await landNote(
    {
      ...{ rpc: createSolanaRpc(node.url), poseidon: wasmPoseidon, kind: 'deliver' },
      prove: (inputs) => stack.prover.prove(inputs),
      ticket: { program: PROGRAM, orderId: order.terms.orderId, note: order.note },
      payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
    },
    {
      sleep: async () => {
        await stack.localnet.local('localnet_advanceTime', [ADVANCE_SECONDS])
        passedMs += ADVANCE_SECONDS * 1_000
      },
      nowMs: () => passedMs,
      onStep: (step) => void steps.push(step),
    },
  )
  const prices = [...node.seen.values()].map(({ unitPrice }) => unitPrice)
  console.log(`seed ${SEED}: ${steps.map(({ kind, attempt }) => `${attempt} ${kind}`).join(', ')}`)
  expect(await lamportsOf(stack, recipient)).toBe(AMOUNT)
  expect([...node.seen.keys()].at(-1)).toBe(signature)
  // Each settlement offers the next price of the list, and only the last settlement has landed.
  expect(prices.length).toBeGreaterThan(1)
  expect(prices).toEqual(UNIT_PRICES.slice(1, 1 + prices.length))
  expect(prices.length).toBeLessThanOrEqual(STEP_MAX)
  expect([...node.seen.values()].map(({ isDropped }) => isDropped)).toEqual(
    prices.map((_, index) => index < prices.length - 1),
  )
  expect(steps.filter(({ kind }) => kind === 'sent_again').length).toBeGreaterThan(prices.length)
})
