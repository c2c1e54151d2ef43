import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Decoder,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
} from '@solana/kit'
import type { Base64EncodedWireTransaction, TransactionMessageBytesBase64 } from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import { expect, test } from 'vitest'
import { rawCall, sign, signTransfer } from './client.ts'
import { expectFailure } from './rpc-failure.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'

test('a transaction lands only once even if it is sent again', async () => {
  const { rpc, fund, balanceOf, pass } = await startStillChain()
  const payer = await fund()
  const other = await generateKeyPairSigner()
  const { transaction, signature } = await signTransfer(rpc, payer, other.address, 1_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  expect(await rpc.sendTransaction(wire, { encoding }).send()).toBe(signature)
  // Preflight runs in an older block that doesn't contain the transaction yet. So preflight accepts the transaction
  // again, but the transaction lands only once.
  expect(await rpc.sendTransaction(wire, { encoding }).send()).toBe(signature)
  await pass(1)
  const failure = await expectFailure(rpc.sendTransaction(wire, { encoding }).send(), -32002)
  expect(isSolanaError(failure.cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)).toBe(
    true,
  )
  await rpc.sendTransaction(wire, { encoding, skipPreflight: true }).send()
  expect(await balanceOf(other.address)).toBe(1_000_000n)
})

test('only one of several equal transactions that are sent together lands', async () => {
  const { rpc, fund, balanceOf } = await startStillChain()
  const payer = await fund()
  const other = await generateKeyPairSigner()
  const { transaction } = await signTransfer(rpc, payer, other.address, 1_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  const send = () => rpc.sendTransaction(wire, { encoding, skipPreflight: true }).send()
  await Promise.all([send(), send(), send(), send()])
  expect(await balanceOf(other.address)).toBe(1_000_000n)
})

test('a transaction with a forged signature moves nothing', async () => {
  const { rpc, fund, balanceOf } = await startStillChain()
  const payer = await fund()
  const other = await generateKeyPairSigner()
  const { transaction } = await signTransfer(rpc, payer, other.address, 1_000_000n)
  const bytes = Buffer.from(getBase64EncodedWireTransaction(transaction), 'base64')
  bytes[5] = (bytes[5] ?? 0) ^ 1
  const forged = bytes.toString('base64') as Base64EncodedWireTransaction
  await expectFailure(rpc.sendTransaction(forged, { encoding }).send(), -32002)
  await rpc.sendTransaction(forged, { encoding, skipPreflight: true }).send()
  expect(await balanceOf(other.address)).toBe(0n)
  expect(await balanceOf(payer.address)).toBe(1_000_000_000n)
})

test('a failing instruction is reported by preflight with its index, code and logs', async () => {
  const { rpc, fund } = await startStillChain()
  const payer = await fund(10_000_000n)
  const other = await generateKeyPairSigner()
  const { transaction } = await signTransfer(rpc, payer, other.address, 20_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  const failure = await expectFailure(rpc.sendTransaction(wire, { encoding }).send(), -32002)
  expect(isSolanaError(failure.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true)
  expect(failure.cause).toMatchObject({ context: { code: 1, index: 0 } })
  expect(failure.context).toHaveProperty('logs')
})

test('a failing transaction that skips preflight lands and pays its fee', async () => {
  const { rpc, fund, balanceOf, pass } = await startStillChain()
  const payer = await fund(10_000_000n)
  const other = await generateKeyPairSigner()
  const { transaction, signature } = await signTransfer(rpc, payer, other.address, 20_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  await rpc.sendTransaction(wire, { encoding, skipPreflight: true }).send()
  expect(await balanceOf(payer.address)).toBe(10_000_000n - 5_000n)
  await pass(8)
  const found = await rpc
    .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send()
  expect(found?.meta?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] })
  expect(found?.meta?.fee).toBe(5_000n)
})

test('the charged priority fee equals the fee that getFeeForMessage reports', async () => {
  const { rpc, fund, balanceOf, pass } = await startStillChain()
  const payer = await fund()
  const { transaction } = await sign(rpc, payer, [
    getSetComputeUnitLimitInstruction({ units: 12_345 }),
    getSetComputeUnitPriceInstruction({ microLamports: 1_000_001n }),
    getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
  ])
  const message = getBase64Decoder().decode(
    transaction.messageBytes,
  ) as TransactionMessageBytesBase64
  const { value: fee } = await rpc.getFeeForMessage(message).send()
  expect(fee).toBe(5_000n + 12_346n)
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding }).send()
  expect(await balanceOf(payer.address)).toBe(1_000_000_000n - (fee ?? 0n))
  await pass(1)
  const fees = await rpc.getRecentPrioritizationFees([payer.address]).send()
  expect(fees.map((each) => each.prioritizationFee)).toContain(1_000_001n)
})

test('a simulation shows the accounts that the transaction would change', async () => {
  const { rpc, fund, balanceOf } = await startStillChain()
  const payer = await fund()
  const other = await generateKeyPairSigner()
  const { transaction } = await signTransfer(rpc, payer, other.address, 7_000_000n)
  const wire = getBase64EncodedWireTransaction(transaction)
  const { value } = await rpc
    .simulateTransaction(wire, {
      encoding,
      sigVerify: true,
      accounts: { encoding: 'base64', addresses: [other.address] },
    })
    .send()
  expect(value.err).toBeNull()
  expect(value.accounts[0]?.lamports).toBe(7_000_000n)
  expect(await balanceOf(other.address)).toBe(0n)
})

test('lamports above 2^53 keep every digit', async () => {
  const { rpc, endpoints, balanceOf } = await startStillChain()
  const other = await generateKeyPairSigner()
  const amount = 9_007_199_254_740_993n
  const request = `{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["${other.address}",${amount}]}`
  expect((await rawCall(endpoints, request)).text).toContain('"result"')
  expect(await balanceOf(other.address)).toBe(amount)
  const read = `{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["${other.address}",{"commitment":"processed"}]}`
  expect((await rawCall(endpoints, read)).text).toContain(`"value":${amount}`)
  expect(await rpc.getHealth().send()).toBe('ok')
})

test('malformed requests get the codes of JSON-RPC', async () => {
  const { endpoints, rpc } = await startStillChain()
  const ask = async (body: string) => JSON.parse((await rawCall(endpoints, body)).text)
  const request = (method: string, params: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id: 9, method, params })
  expect(await ask('{')).toMatchObject({ error: { code: -32700 }, id: null })
  expect(await ask('{"id":1}')).toMatchObject({ error: { code: -32600 } })
  expect(await ask(request('getNothing', []))).toMatchObject({ error: { code: -32601 }, id: 9 })
  expect(await ask(request('getBalance', ['x']))).toMatchObject({ error: { code: -32602 } })
  expect(await ask(request('sendTransaction', ['!!']))).toMatchObject({ error: { code: -32602 } })
  const batch = `[${request('getHealth', [])},${request('getNothing', [])}]`
  expect(await ask(batch)).toMatchObject([{ result: 'ok' }, { error: { code: -32601 } }])
  await expectFailure(rpc.getSlot({ minContextSlot: 1_000_000n }).send(), -32016)
})
