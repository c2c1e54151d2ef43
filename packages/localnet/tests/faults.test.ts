import { generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { call, rawCall, signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'
const health = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' })

test('a dropped transaction answers its signature and never lands', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const other = await generateKeyPairSigner()
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, 1_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.call('localnet_setFaults', [{ drop: 1 }])
  expect(await chain.rpc.sendTransaction(wire, { encoding }).send()).toBe(signature)
  expect(await chain.balanceOf(other.address)).toBe(0n)
  await chain.call('localnet_setFaults', [{}])
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  expect(await chain.balanceOf(other.address)).toBe(1_000_000n)
})

test('equal seeds fail the same requests, other seeds others', async () => {
  const { endpoints } = await startStillChain()
  const draw = async (seed: number) => {
    await call(endpoints, 'localnet_setFaults', [{ errorRate: 0.5, seed }])
    const replies: string[] = []
    for (let index = 0; index < 24; index += 1) {
      const { status, text } = await rawCall(endpoints, health)
      replies.push(status === 503 ? '503' : text.includes('-32005') ? 'unhealthy' : 'ok')
    }
    return replies
  }
  const first = await draw(7)
  expect(await draw(7)).toEqual(first)
  expect(await draw(8)).not.toEqual(first)
  expect(new Set(first)).toEqual(new Set(['503', 'unhealthy', 'ok']))
})

test('faults can be limited to methods', async () => {
  const chain = await startStillChain()
  await chain.call('localnet_setFaults', [{ errorRate: 1, methods: ['getSlot'] }])
  await expect(chain.rpc.getSlot().send()).rejects.toThrow()
  expect(await chain.rpc.getHealth().send()).toBe('ok')
})

test('a lagging node answers from older slots, until it catches up', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const other = await generateKeyPairSigner()
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, 1_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  const now = await chain.rpc.getBlockHeight({ commitment: 'processed' }).send()
  await chain.call('localnet_setFaults', [{ lagSlots: 5 }])
  expect(await chain.rpc.getBlockHeight({ commitment: 'processed' }).send()).toBe(now - 5n)
  expect(await chain.balanceOf(other.address)).toBe(0n)
  expect((await chain.rpc.getSignatureStatuses([signature]).send()).value).toEqual([null])
  await chain.pass(8)
  expect(await chain.balanceOf(other.address)).toBe(1_000_000n)
})

test('a misspelt fault is refused instead of ignored', async () => {
  const chain = await startStillChain()
  await expect(chain.call('localnet_setFaults', [{ drops: 1 }])).rejects.toThrow(/drops/)
})
