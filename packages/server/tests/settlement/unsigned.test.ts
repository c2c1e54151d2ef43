import { getBase58Encoder, getCompiledTransactionMessageDecoder } from '@solana/kit'
import { NATIVE_MINT, STEP_MAX } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { FREE, runOperator } from './stack/run-operator.ts'
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

/** After this many seconds, the finalized block height is past a blockhash's last valid height. */
const EXPIRY_SECONDS = 90
const SIGNATURE_FEE = 5_000n

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
const limit = (seconds: number) => [
  ...['pool', 'config', '--pause-deposits', 'off'],
  ...['--max-deposit-seconds', `${seconds}`],
]
const show = () => stack.operate<{ maxDepositSeconds: number }>('pool', 'show')

it('a setting changes only after the transaction is signed and submitted', async () => {
  const made = await unsigned(...limit(1_234))
  expect(made.signers).toEqual([stack.admin.address])
  expect((await show()).maxDepositSeconds).not.toBe(1_234)
  await expect(submit(made.transaction)).rejects.toThrow(/signatures are missing/)
  const signed = await sign(made.transaction, stack.adminFile)
  expect(signed.missing).toEqual([])
  await submit(signed.transaction)
  expect((await show()).maxDepositSeconds).toBe(1_234)
})

it('the printed message and both printed transactions have the same content', async () => {
  const { message, transaction, transactionBase58 } = await unsigned(
    ...['inventory', 'remove', '--mint', NATIVE_MINT, '--amount', '7'],
  )
  const wire = Buffer.from(transaction, 'base64')
  expect(Buffer.from(getBase58Encoder().encode(transactionBase58))).toEqual(wire)
  // The serialised transaction has a count of signatures in one byte, one signature of zeros, and the message.
  expect(wire.subarray(1, 65).every((byte) => byte === 0)).toBe(true)
  expect(wire.subarray(65).toString('base64')).toBe(message)
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(wire.subarray(65))
  expect(staticAccounts[0]).toBe(stack.admin.address)
})

it.each([
  ['pool', 'rotate', '--slot', '1', '--unset'],
  ['pool', 'config', '--pause-deposits', 'on', '--max-deposit-seconds', '3000'],
  ['inventory', 'add', '--mint', NATIVE_MINT, '--amount', '5'],
  ['inventory', 'remove', '--mint', NATIVE_MINT, '--amount', '5'],
])('%s %s is made unsigned with only the admin’s address', async (...words) => {
  expect((await unsigned(...words)).signers).toEqual([stack.admin.address])
})

it('a transaction that the program would refuse is not printed', async () => {
  const other = makeWallet().address
  await expect(unsigned(...limit(999_999))).rejects.toThrow(/LimitOutOfRange/)
  await expect(stack.operate(...limit(3_000), '--admin', other, '--unsigned')).rejects.toThrow()
  await expect(unsigned('fees', 'collect', '--mint', NATIVE_MINT, '--amount', '1')).rejects.toThrow(
    /the program refuses/,
  )
})

it('an address instead of a keypair file is refused with the hint to use --unsigned', async () => {
  const words = ['pool', 'config', '--pause-deposits', 'on', '--admin', stack.admin.address]
  await expect(stack.operate(...words)).rejects.toThrow(/--unsigned/)
})

it('the same command changes the asset’s row once the change is on the chain', async () => {
  const limits = ['--input-max', '7000', '--swap-cap', '9000', '--swap-period', '60']
  const words = ['asset', 'set', '--mint', stack.usdc, ...limits, '--pause-deposits', 'off']
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

/** A node that drops each of the first `count` transactions until the transaction's blockhash has expired. */
function dropping(count: number): Stack['rpc'] {
  const dropped = new Set<unknown>()
  return new Proxy(stack.rpc, {
    get: (node, name) => {
      if (name !== 'sendTransaction') return Reflect.get(node, name) as unknown
      return (wire: never, options: never) => {
        const isNew = !dropped.has(wire)
        if (isNew && dropped.size >= count) return node.sendTransaction(wire, options)
        dropped.add(wire)
        const expire = () => stack.localnet.local('localnet_advanceTime', [EXPIRY_SECONDS])
        return { send: async () => void (isNew && (await expire())) }
      }
    },
  })
}

it('an expired transaction is signed again at a higher price, up to the limit', async () => {
  const { database } = stack
  const at = (rpc: Stack['rpc'], ceiling: number) => ({
    ...{ rpc, program: PROGRAM, database, clock: systemClock, prices: { ...FREE, ceiling } },
  })
  const set = (count: number, ceiling: number) => {
    const words = ['pool', 'config', '--max-deposit-seconds', '2400', '--admin', stack.adminFile]
    return runOperator<{ signature: string }>(at(dropping(count), ceiling), ...words)
  }
  const { signature } = await set(2, STEP_MAX)
  const [price] = await database.query<{ step: number }>('SELECT step FROM unit_price', [])
  expect(price?.step).toBe(2)
  const landed = await stack.rpc
    .getTransaction(signature as never, {
      ...{ commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 },
    })
    .send()
  expect(landed?.meta?.fee).toBeGreaterThan(SIGNATURE_FEE)
  expect(await show()).toMatchObject({ maxDepositSeconds: 2_400 })
  await expect(set(1, 2)).rejects.toThrow(/proven that it never will.*SOTTO_SEND_RPC_URLS/)
  const made = await unsigned(...limit(2_300))
  const { transaction } = await sign(made.transaction, stack.adminFile)
  const submitted = runOperator(at(dropping(1), 2), 'transaction', 'submit', transaction)
  await expect(submitted).rejects.toThrow(/proven that it never will.*--unsigned/)
})
