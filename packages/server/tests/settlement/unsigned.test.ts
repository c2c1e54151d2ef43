import { getBase58Encoder, getCompiledTransactionMessageDecoder } from '@solana/kit'
import { NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

interface Unsigned {
  readonly message: string
  readonly transaction: string
  readonly transactionBase58: string
  readonly signers: string[]
}

interface Signed {
  readonly transaction: string
  readonly missing: string[]
}

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack?.close()
})

const unsigned = (...words: string[]) =>
  stack.operate<Unsigned>(...words, '--admin', stack.admin.address, '--unsigned')
const sign = (transaction: string, keypair: string) =>
  stack.operate<Signed>('transaction', 'sign', transaction, '--keypair', keypair)
const submit = (transaction: string) =>
  stack.operate<{ signature: string }>('transaction', 'submit', transaction)
const show = () => stack.operate<{ maxDepositSeconds: number }>('pool', 'show')

it('nothing changes until the transaction was signed and submitted', async () => {
  const made = await unsigned('pool', 'config', '--max-deposit-seconds', '1234')
  expect(made.signers).toEqual([stack.admin.address])
  expect((await show()).maxDepositSeconds).not.toBe(1_234)
  await expect(submit(made.transaction)).rejects.toThrow(/signatures are missing/)
  const signed = await sign(made.transaction, stack.adminFile)
  expect(signed.missing).toEqual([])
  await submit(signed.transaction)
  expect((await show()).maxDepositSeconds).toBe(1_234)
})

it('the message and both forms of the transaction represent the same transaction', async () => {
  const { message, transaction, transactionBase58 } = await unsigned(
    ...['inventory', 'remove', '--mint', NATIVE_MINT, '--amount', '7'],
  )
  const wire = Buffer.from(transaction, 'base64')
  expect(Buffer.from(getBase58Encoder().encode(transactionBase58))).toEqual(wire)
  // The wire form is one signature of zeros, followed by the message.
  expect(wire.subarray(1, 65).every((byte) => byte === 0)).toBe(true)
  expect(wire.subarray(65).toString('base64')).toBe(message)
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(wire.subarray(65))
  expect(staticAccounts[0]).toBe(stack.admin.address)
})

it.each([
  ['pool', 'rotate', '--slot', '1', '--unset'],
  ['asset', 'set', '--mint', NATIVE_MINT, '--pause-deposits', 'on'],
  ['inventory', 'add', '--mint', NATIVE_MINT, '--amount', '5'],
  ['inventory', 'remove', '--mint', NATIVE_MINT, '--amount', '5'],
])('%s %s is made for an admin whose key is elsewhere', async (...words) => {
  expect((await unsigned(...words)).signers).toEqual([stack.admin.address])
})

it('a transaction that the program would refuse is not printed', async () => {
  const other = makeWallet().address
  const config = ['pool', 'config', '--max-deposit-seconds', '999999']
  await expect(unsigned(...config)).rejects.toThrow(/LimitOutOfRange/)
  await expect(
    stack.operate('pool', 'config', '--pause-deposits', 'on', '--admin', other, '--unsigned'),
  ).rejects.toThrow()
  await expect(unsigned('fees', 'collect', '--mint', NATIVE_MINT, '--amount', '1')).rejects.toThrow(
    /the program refuses/,
  )
})

it('an address in place of a keypair causes an error with the next step', async () => {
  const words = ['pool', 'config', '--pause-deposits', 'on', '--admin', stack.admin.address]
  await expect(stack.operate(...words)).rejects.toThrow(/--unsigned/)
})

it('the same command, run again, changes an asset at the service once the chain has the change', async () => {
  const words = ['asset', 'set', '--mint', stack.usdc, '--input-max', '7000']
  const inputMax = async () => {
    const rows = await stack.database.query<{ input_max: string }>(
      'SELECT input_max FROM assets WHERE mint = $1',
      [stack.usdc],
    )
    return rows[0]?.input_max
  }
  const made = await unsigned(...words)
  expect(await inputMax()).not.toBe('7000')
  await submit((await sign(made.transaction, stack.adminFile)).transaction)
  expect(await unsigned(...words)).toEqual({ mint: stack.usdc, signature: null })
  expect(await inputMax()).toBe('7000')
})
