import { generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'

async function nextOf<T>(notifications: AsyncIterable<T>): Promise<T> {
  for await (const notification of notifications) return notification
  throw new Error('the subscription ended without a notification')
}

test('an account subscription reports a change with its slot', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const other = await generateKeyPairSigner()
  const abort = new AbortController()
  const notifications = await chain.rpcSubscriptions
    .accountNotifications(other.address, { commitment: 'confirmed', encoding })
    .subscribe({ abortSignal: abort.signal })
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, 3_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  const { value } = await chain.rpc.getSignatureStatuses([signature]).send()
  const next = nextOf(notifications)
  await chain.pass(1)
  const { context, value: account } = await next
  abort.abort()
  expect(account.lamports).toBe(3_000_000n)
  expect(context.slot).toBe(value[0]?.slot)
})

test('a signature subscription reports a transaction that was already final', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const { transaction, signature } = await signTransfer(chain.rpc, payer, payer.address, 1n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  await chain.pass(8)
  const abort = new AbortController()
  const notifications = await chain.rpcSubscriptions
    .signatureNotifications(signature, { commitment: 'finalized' })
    .subscribe({ abortSignal: abort.signal })
  const next = nextOf(notifications)
  await chain.pass(1)
  expect((await next).value).toEqual({ err: null })
  abort.abort()
})

test('slot notifications never name a skipped slot', async () => {
  const chain = await startStillChain()
  const abort = new AbortController()
  const notifications = await chain.rpcSubscriptions
    .slotNotifications()
    .subscribe({ abortSignal: abort.signal })
  const seen: { slot: bigint; parent: bigint; root: bigint }[] = []
  const reading = (async () => {
    for await (const notification of notifications) {
      seen.push(notification)
      if (seen.length === 10) return
    }
  })()
  for (let index = 0; index < 10; index += 1) await chain.pass(1)
  await reading
  abort.abort()
  seen.slice(1).forEach(({ slot, parent, root }, index) => {
    expect(parent).toBe(seen[index]?.slot)
    expect(root).toBeLessThan(parent)
    expect(slot % 8n).not.toBe(5n)
  })
})

test('a logs subscription reports the transactions that name its address', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const other = await generateKeyPairSigner()
  const abort = new AbortController()
  const { signal: abortSignal } = abort
  const logs = await chain.rpcSubscriptions
    .logsNotifications({ mentions: [other.address] }, { commitment: 'confirmed' })
    .subscribe({ abortSignal })
  const accounts = await chain.rpcSubscriptions
    .programNotifications(payer.address, { commitment: 'confirmed', encoding })
    .subscribe({ abortSignal })
  const nextLogs = nextOf(logs)
  const nextAccount = nextOf(accounts).catch(() => 'none')
  const { transaction, signature } = await signTransfer(chain.rpc, payer, other.address, 3_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding }).send()
  await chain.pass(1)
  expect((await nextLogs).value).toMatchObject({ signature, err: null })
  abort.abort()
  expect(await nextAccount).toBe('none')
})
