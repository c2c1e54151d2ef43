import { generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { call, rawCall, signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'
/** Number of transactions. With so many, a shuffle practically never keeps their order. */
const MANY = 12
const health = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' })

test('a dropped transaction never lands', async () => {
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

test('the same requests fail with the same seed', async () => {
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

test('faults can be limited to some methods', async () => {
  const chain = await startStillChain()
  await chain.call('localnet_setFaults', [{ errorRate: 1, methods: ['getSlot'] }])
  await expect(chain.rpc.getSlot().send()).rejects.toThrow()
  expect(await chain.rpc.getHealth().send()).toBe('ok')
})

test('a lagging node answers from older slots until it catches up', async () => {
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

async function sentTransfer(chain: Awaited<ReturnType<typeof startStillChain>>, quantity: bigint) {
  const payer = await chain.fund()
  const other = (await generateKeyPairSigner()).address
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other, quantity)
  const send = () =>
    chain.rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding }).send()
  return { payer, other, signature, send }
}

test('a transaction lands exactly the requested number of blocks later', async () => {
  const chain = await startStillChain()
  const { other, signature, send } = await sentTransfer(chain, 1_000_000n)
  await chain.call('localnet_setFaults', [{ landAfterBlocks: 5 }])
  const sentAt = await chain.rpc.getBlockHeight({ commitment: 'processed' }).send()
  expect(await send()).toBe(signature)
  await send()
  const status = async () => (await chain.rpc.getSignatureStatuses([signature]).send()).value[0]
  for (;;) {
    const height = await chain.rpc.getBlockHeight({ commitment: 'processed' }).send()
    if (height >= sentAt + 5n) break
    expect(await status()).toBeNull()
    await chain.pass(1)
  }
  expect(await status()).toMatchObject({ err: null, confirmationStatus: 'processed' })
  expect(await chain.balanceOf(other)).toBe(1_000_000n)
})

test('a transaction never lands if its blockhash expires during the wait', async () => {
  for (const { blocks, lands } of [
    { blocks: 140, lands: true },
    { blocks: 152, lands: false },
  ]) {
    const chain = await startStillChain()
    const { other, signature, send } = await sentTransfer(chain, 1_000_000n)
    await chain.call('localnet_setFaults', [{ landAfterBlocks: blocks }])
    await send()
    // The chain first passes all blocks before the landing, and then the block in which the transaction lands.
    await chain.pass(Math.floor((blocks * 8) / 7) - 4)
    await chain.pass(8)
    const { value } = await chain.rpc.getSignatureStatuses([signature]).send()
    expect(value[0] === null).toBe(!lands)
    expect(await chain.balanceOf(other)).toBe(lands ? 1_000_000n : 0n)
  }
})

test('a transaction of a losing fork can be sent again', async () => {
  const chain = await startStillChain()
  const { other, signature, send } = await sentTransfer(chain, 1_000_000n)
  await chain.call('localnet_setFaults', [{ dropWithFork: 1 }])
  expect(await send()).toBe(signature)
  const status = async () => (await chain.rpc.getSignatureStatuses([signature]).send()).value[0]
  expect(await status()).toMatchObject({ err: null, confirmationStatus: 'processed' })
  await chain.pass(1)
  expect(await status()).toMatchObject({ confirmationStatus: 'processed' })
  await chain.pass(4)
  expect(await status()).toBeNull()
  expect(await chain.balanceOf(other)).toBe(0n)
  await chain.call('localnet_setFaults', [{}])
  await send()
  expect(await status()).toMatchObject({ err: null, confirmationStatus: 'processed' })
  expect(await chain.balanceOf(other)).toBe(1_000_000n)
  await chain.pass(8)
  expect(await status()).toMatchObject({ confirmationStatus: 'finalized' })
})

/**
 * Sends transfers of one payer that land in one block. Returns their order of execution and their order in the history.
 */
async function manyInOneBlock(faults: object) {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const sent: string[] = []
  await chain.call('localnet_setFaults', [faults])
  for (let index = 1n; index <= BigInt(MANY); index += 1n) {
    const { transaction, signature } = await signTransfer(
      chain.rpc,
      payer,
      payer.address,
      index * 1_000n,
    )
    sent.push(signature)
    await chain.rpc
      .sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding })
      .send()
  }
  // The waiting transactions run at the end of the first `pass`. They are confirmed after the second `pass`.
  await chain.pass(4)
  await chain.pass(8)
  const list = async (range: { before?: string; until?: string; limit?: number } = {}) => {
    const config = { commitment: 'confirmed' as const, limit: MANY, ...range }
    const found = await chain.rpc.getSignaturesForAddress(payer.address, config as never).send()
    return found.map(({ signature }) => signature as string)
  }
  const listed = await list()
  const [first] = await chain.rpc
    .getSignaturesForAddress(payer.address, { commitment: 'confirmed', limit: 1 })
    .send()
  const block = await chain.rpc
    .getBlock(first!.slot, { transactionDetails: 'signatures', commitment: 'confirmed' } as never)
    .send()
  const ran = (block as unknown as { signatures: string[] }).signatures
  return { chain, sent, ran, listed: listed.reverse(), list }
}

test('transactions that wait for one block can run in an order that differs from the order of sending', async () => {
  const kept = await manyInOneBlock({ landAfterBlocks: 2 })
  expect(kept.ran).toEqual(kept.sent)
  const { sent, ran, listed } = await manyInOneBlock({ landAfterBlocks: 2, reorder: true })
  expect(ran).not.toEqual(sent)
  expect(new Set(ran)).toEqual(new Set(sent))
  expect(listed).toEqual(ran)
})

test('a shuffled listing has the same order at each call', async () => {
  const { sent, ran, listed, list } = await manyInOneBlock({ shuffleListings: true })
  expect(ran).toEqual(sent)
  expect(listed).not.toEqual(sent)
  const newest = [...listed].reverse()
  expect(await list()).toEqual(newest)
  const paged: string[] = []
  while (paged.length < MANY) {
    const before = paged.at(-1)
    paged.push(...(await list({ limit: 2, ...(before === undefined ? {} : { before }) })))
  }
  expect(paged).toEqual(newest)
  expect(await list({ until: newest[3]! })).toEqual(newest.slice(0, 3))
})

test('reorder is refused without landAfterBlocks', async () => {
  const chain = await startStillChain()
  const faults = [{ reorder: true }]
  await expect(chain.call('localnet_setFaults', faults)).rejects.toThrow(/landAfterBlocks/)
})
