import { parseWhole } from '@sotto/protocol'
import { generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { signTransfer } from './client.ts'
import { expectFailure } from './rpc-failure.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'

async function sendTransfers(chain: Awaited<ReturnType<typeof startStillChain>>, count: number) {
  const payer = await chain.fund()
  const other = await generateKeyPairSigner()
  const signatures: string[] = []
  for (let index = 0; index < count; index += 1) {
    const amount = 1_000_000n + BigInt(index)
    const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, amount)
    const wire = getBase64EncodedWireTransaction(transaction)
    await chain.rpc.sendTransaction(wire, { encoding }).send()
    signatures.push(signature)
    if (index % 3 === 2) await chain.pass(1)
  }
  await chain.pass(8)
  return { payer, other, signatures }
}

test('signatures for an address are listed newest first, even within a slot', async () => {
  const chain = await startStillChain()
  const { other, signatures } = await sendTransfers(chain, 8)
  const newestFirst = signatures.toReversed()
  const list = async (config: object) =>
    (await chain.rpc.getSignaturesForAddress(other.address, config).send()).map(
      (each) => each.signature as string,
    )
  expect(await list({})).toEqual(newestFirst)
  expect(await list({ limit: 3 })).toEqual(newestFirst.slice(0, 3))
  expect(await list({ before: newestFirst[2], limit: 2 })).toEqual(newestFirst.slice(3, 5))
  expect(await list({ until: newestFirst[4] })).toEqual(newestFirst.slice(0, 4))
  expect(await list({ before: newestFirst[1], until: newestFirst[4] })).toEqual(
    newestFirst.slice(2, 4),
  )
  const unknown = await generateKeyPairSigner()
  expect(await chain.rpc.getSignaturesForAddress(unknown.address).send()).toEqual([])
  await expectFailure(list({ limit: 1_001 }), -32602)
  await expectFailure(list({ minContextSlot: 1_000_000_000n }), -32016)
})

test('listings and single reads show the same index of a transaction in its block', async () => {
  interface Placed {
    readonly signature: string
    readonly slot: number
    readonly transactionIndex: number
  }
  const chain = await startStillChain()
  const { other, signatures } = await sendTransfers(chain, 8)
  const listed = (await chain.call('getSignaturesForAddress', [other.address])) as Placed[]
  const oldestFirst = listed.toReversed()
  expect(oldestFirst.map((one) => one.signature)).toEqual(signatures)
  for (const slot of new Set(oldestFirst.map((one) => one.slot))) {
    const block = oldestFirst.filter((one) => one.slot === slot)
    const first = block[0]?.transactionIndex ?? 0
    expect(block.map((one) => one.transactionIndex)).toEqual(block.map((_, at) => first + at))
    for (const { signature, transactionIndex } of block) {
      const config = { maxSupportedTransactionVersion: 0 }
      const found = (await chain.call('getTransaction', [signature, config])) as Placed
      expect(found.transactionIndex).toBe(transactionIndex)
    }
  }
  expect(new Set(oldestFirst.map((one) => one.transactionIndex)).size).toBeGreaterThan(1)
})

test('a transaction is returned with the bytes that were sent', async () => {
  const chain = await startStillChain()
  const { payer, other } = await sendTransfers(chain, 1)
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, 5_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  const version = { maxSupportedTransactionVersion: 0 } as const
  expect(await chain.rpc.getTransaction(signature, { encoding, ...version }).send()).toBeNull()
  await chain.pass(8)
  const raw = await chain.rpc.getTransaction(signature, { encoding, ...version }).send()
  expect(raw?.transaction[0]).toBe(wire)
  const { preBalances = [], postBalances = [], fee = 0n } = raw?.meta ?? {}
  expect((preBalances[0] ?? 0n) - (postBalances[0] ?? 0n)).toBe(5_000n + fee)
  expect((postBalances[1] ?? 0n) - (preBalances[1] ?? 0n)).toBe(5_000n)
  await expectFailure(chain.rpc.getTransaction(signature, { encoding }).send(), -32015)
  const parsed = await chain.rpc
    .getTransaction(signature, { encoding: 'jsonParsed', ...version })
    .send()
  expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({
    pubkey: payer.address,
    signer: true,
    writable: true,
  })
})

test('a block lists its transactions', async () => {
  const chain = await startStillChain()
  const { signatures } = await sendTransfers(chain, 3)
  const [status] = (
    await chain.rpc
      .getSignatureStatuses([signatures[0] as never], { searchTransactionHistory: true })
      .send()
  ).value
  const slot = status?.slot ?? 0n
  const block = await chain.rpc
    .getBlock(slot, { maxSupportedTransactionVersion: 0, transactionDetails: 'signatures' })
    .send()
  expect(block?.signatures).toEqual(signatures)
  const listed = await chain.rpc.getBlocks(slot - 20n, slot).send()
  expect(listed.some((each) => each % 8n === 5n)).toBe(false)
  expect(listed.at(-1)).toBe(slot)
})

test('a listing that starts or ends at an unknown signature is refused', async () => {
  const chain = await startStillChain()
  const { other, signatures } = await sendTransfers(chain, 6)
  const list = (config: object) =>
    chain.rpc.getSignaturesForAddress(other.address, config as never).send()
  const { signature } = await signTransfer(chain.rpc, await chain.fund(), other.address, 7n)
  for (const member of ['before', 'until']) {
    const error = await expectFailure(list({ [member]: signature }), -32020)
    expect(error.context).toMatchObject({ __serverMessage: `Transaction ${signature} not found` })
  }
  const [newest, oldest] = [signatures.at(-1), signatures[0]]
  const [{ slot } = { slot: 0n }] = await list({ limit: 1 })
  await chain.call('localnet_setFaults', [{ historyFrom: parseWhole(`${slot}`) }])
  await expectFailure(list({ until: oldest }), -32020)
  const kept = (await list({})).map((one) => one.signature as string)
  expect(kept).toContain(newest)
  expect(kept).not.toContain(oldest)
  const find = (of?: string) =>
    chain.rpc
      .getTransaction(of as never, { encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
  expect(await find(oldest)).toBeNull()
  expect(await find(newest)).not.toBeNull()
  await expectFailure(chain.rpc.getBlock(slot - 1n).send(), -32001)
})
