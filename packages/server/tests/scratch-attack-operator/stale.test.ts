import { createKeyPairSignerFromBytes } from '@solana/kit'
import { NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStack, type Stack } from '../settlement/stack/stack.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
void createKeyPairSignerFromBytes
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack?.close()
})
const asAdmin = (...words: string[]) => stack.operate<any>(...words, '--admin', stack.adminFile)
const unsigned = (...words: string[]) =>
  stack.operate<any>(...words, '--admin', stack.admin.address, '--unsigned')
const sign = (t: string) =>
  stack.operate<any>('transaction', 'sign', t, '--keypair', stack.adminFile)
const submit = (t: string) => stack.operate<any>('transaction', 'submit', t)
const show = () => stack.operate<any>('pool', 'show')

it('pool config: a prepared change of the limit leaves a later pause in force', async () => {
  const made = await unsigned('pool', 'config', '--max-deposit-seconds', '3000')
  await asAdmin('pool', 'config', '--pause-deposits', 'on')
  expect((await show()).depositsPaused).toBe(true)
  await submit((await sign(made.transaction)).transaction)
  expect((await show()).depositsPaused).toBe(true)
})

it('asset set: a prepared change of the limit leaves a later pause and a later swap cap in force', async () => {
  const made = await unsigned('asset', 'set', '--mint', stack.usdc, '--input-max', '7000')
  await asAdmin('asset', 'set', '--mint', stack.usdc, '--pause-deposits', 'on', '--swap-cap', '0')
  await submit((await sign(made.transaction)).transaction)
  // The second command reports success only if nothing else changed.
  const again = await asAdmin(
    'asset',
    'set',
    '--mint',
    stack.usdc,
    '--pause-deposits',
    'on',
    '--swap-cap',
    '0',
  )
  expect(again.signature).toBe(null)
})

it('pool rotate: one key can not be in both slots', async () => {
  const old = stack.authoriser.address
  await expect(asAdmin('pool', 'rotate', '--slot', '1', '--authoriser', old)).rejects.toThrow()
})

it('pool rotate: a prepared rotation does not replace a key that was set since', async () => {
  await asAdmin('pool', 'rotate', '--slot', '1', '--unset')
  const made = await unsigned('pool', 'rotate', '--slot', '1', '--authoriser', makeWallet().address)
  const used = makeWallet().address
  await asAdmin('pool', 'rotate', '--slot', '1', '--authoriser', used)
  await submit((await sign(made.transaction)).transaction).catch(() => undefined)
  expect((await show()).authorisers[1]).toBe(used)
})

it('asset set refuses a fee that the database refuses before it changes the chain', async () => {
  const failed = await asAdmin(
    'asset',
    'set',
    '--mint',
    NATIVE_MINT,
    '--service-bps',
    '1001',
    '--input-max',
    '12345',
  ).catch((e: Error) => e)
  expect(failed).toMatchObject({ name: 'OperatorError' })
})
