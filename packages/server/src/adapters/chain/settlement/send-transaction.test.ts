import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { simulateSettlement } from './send-transaction.ts'

/** A node that answers each simulation with this error, and that counts the simulations. */
function nodeWith(err: unknown) {
  const node = { asked: 0 }
  const send = async () => {
    node.asked += 1
    if (err instanceof Error) throw err
    return { value: { err } }
  }
  return { node, rpc: { simulateTransaction: () => ({ send }) } as unknown as ChainRpc }
}

const WIRE = new Uint8Array(4)
const REFUSAL = { InstructionError: [2, 'InvalidAccountData'] }

async function simulated(...answers: unknown[]) {
  const nodes = answers.map(nodeWith)
  const rpcs = nodes.map(({ rpc }) => rpc)
  const result = await simulateSettlement(rpcs[0]!, rpcs, WIRE)
  return [result, ...nodes.map(({ node }) => node.asked)]
}

it('a settlement is refused only if no node accepts it', async () => {
  expect(await simulated(REFUSAL, REFUSAL, REFUSAL)).toEqual(['refused', 2, 1, 1])
  expect(await simulated(REFUSAL, null, REFUSAL)).toEqual(['accepted', 2, 1, 1])
  // A node that fails doesn't accept the settlement.
  expect(await simulated(REFUSAL, new Error('down'))).toEqual(['refused', 2, 1])
})

it('asks no second node if the first accepts the settlement or is the only one', async () => {
  expect(await simulated(null, REFUSAL)).toEqual(['accepted', 1, 0])
  expect(await simulated(REFUSAL)).toEqual(['refused', 1])
})
