import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { FREE, runOperator } from './stack/run-operator.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

interface Shown {
  readonly authorisers: (string | null)[]
  readonly depositsPaused: boolean
  readonly maxDepositSeconds: number
}

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack?.close()
})

const asAdmin = <Printed = Shown>(...words: string[]) =>
  stack.operate<Printed>(...words, '--admin', stack.adminFile)
const show = () => stack.operate<Shown>('pool', 'show')

/** Makes a transaction that the admin signs now and submits later. */
async function prepare(...words: string[]): Promise<string> {
  const admin = ['--admin', stack.admin.address, '--unsigned']
  const made = await stack.operate<{ transaction: string }>(...words, ...admin)
  const sign = ['transaction', 'sign', made.transaction, '--keypair', stack.adminFile]
  return (await stack.operate<{ transaction: string }>(...sign)).transaction
}

const submit = (transaction: string, ...more: string[]) =>
  stack.operate('transaction', 'submit', transaction, ...more)

const rotate = (slot: number, ...words: string[]) => [
  ...['pool', 'rotate', '--slot', `${slot}`],
  ...words,
]

it('a change of the pool’s limit is prepared only if it names the pause too', async () => {
  const change = ['pool', 'config', '--max-deposit-seconds', '3000']
  await expect(prepare(...change)).rejects.toThrow(/present values: --pause-deposits off$/)
  await asAdmin('pool', 'config', '--pause-deposits', 'on')
  await expect(prepare(...change)).rejects.toThrow(/present values: --pause-deposits on$/)
  await submit(await prepare(...change, '--pause-deposits', 'on'))
  expect(await show()).toMatchObject({ depositsPaused: true, maxDepositSeconds: 3_000 })
  await asAdmin('pool', 'config', '--pause-deposits', 'off')
})

it('a change of an asset’s limit is prepared only if it names all limits and the pause', async () => {
  const set = ['asset', 'set', '--mint', stack.usdc]
  const pause = [...set, '--pause-deposits', 'on', '--swap-cap', '0']
  await asAdmin(...pause)
  await expect(prepare(...set, '--input-max', '7000')).rejects.toThrow(
    /present values: --pause-deposits on --swap-cap 0 --swap-period [0-9]+$/,
  )
  // The asset still has these values, so there is nothing to change.
  expect(await asAdmin(...pause)).toMatchObject({ signature: null })
})

it('a warning names the order time that API processes may have if the pool’s limit is lowered', async () => {
  const { rpc, database } = stack
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  const at = { rpc, program: PROGRAM, database, clock: systemClock, prices: FREE, report }
  const set = (seconds: string) =>
    runOperator(at, 'pool', 'config', '--admin', stack.adminFile, '--max-deposit-seconds', seconds)
  await set('2500')
  await set('3000')
  const warnings = lines.filter((line) => line.includes('SOTTO_ORDER_SECONDS'))
  expect(warnings).toEqual([expect.stringContaining('SOTTO_ORDER_SECONDS above 1900 ')])
})

it('one key is set in only one of the two slots', async () => {
  const key = stack.authoriser.address
  for (const more of [[], ['--replace']]) {
    await expect(asAdmin(...rotate(1, '--authoriser', key, ...more))).rejects.toThrow(
      /slot 0 has the key/,
    )
  }
  const keys = ['--authoriser', key, '--authoriser', key]
  const init = ['pool', 'init', '--payer', stack.adminFile, '--upgrade-authority', stack.adminFile]
  await expect(asAdmin(...init, ...keys)).rejects.toThrow(/two different authorisers/)
  expect((await show()).authorisers).toEqual([key, null])
})

it('after a change of a slot, the command shows both slots', async () => {
  const [first, next, last] = [stack.authoriser.address, makeWallet().address, makeWallet().address]
  const shown = async (...words: string[]) => (await asAdmin(...rotate(1, ...words))).authorisers
  expect(await shown('--authoriser', next)).toEqual([first, next])
  expect(await shown('--authoriser', last, '--replace')).toEqual([first, last])
  expect(await shown('--unset')).toEqual([first, null])
})

it('a prepared rotation doesn’t replace a key that was set since, except with `--replace`', async () => {
  const [prepared, used] = [makeWallet().address, makeWallet().address]
  const transaction = await prepare(...rotate(1, '--authoriser', prepared))
  await asAdmin(...rotate(1, '--authoriser', used))
  await expect(submit(transaction)).rejects.toThrow(/slot 1 has the key .*--replace/)
  expect((await show()).authorisers[1]).toBe(used)
  await submit(transaction, '--replace')
  expect((await show()).authorisers[1]).toBe(prepared)
  await asAdmin(...rotate(1, '--unset'))
})

it('the pool’s only key is unset only with `--replace`, even by a prepared rotation', async () => {
  const [first, next] = [stack.authoriser.address, makeWallet().address]
  for (const more of [[], ['--unsigned']]) {
    await expect(asAdmin(...rotate(0, '--unset', ...more))).rejects.toThrow(
      /slot 0 has the pool’s only key .*--replace/,
    )
  }
  // Nothing is unset, so nothing is lost.
  expect((await asAdmin(...rotate(1, '--unset'))).authorisers).toEqual([first, null])
  await asAdmin(...rotate(1, '--authoriser', next))
  const transaction = await prepare(...rotate(0, '--unset'))
  await asAdmin(...rotate(1, '--unset'))
  await expect(submit(transaction)).rejects.toThrow(/slot 0 has the pool’s only key/)
  expect((await show()).authorisers).toEqual([first, null])
  await submit(transaction, '--replace')
  expect((await show()).authorisers).toEqual([null, null])
  await asAdmin(...rotate(0, '--authoriser', first))
})

it('a prepared rotation doesn’t set a key that the other slot has got since', async () => {
  const [first, next] = [stack.authoriser.address, makeWallet().address]
  const transaction = await prepare(...rotate(1, '--authoriser', next))
  await asAdmin(...rotate(0, '--authoriser', next, '--replace'))
  await expect(submit(transaction, '--replace')).rejects.toThrow(/slot 0 has the key/)
  await asAdmin(...rotate(0, '--authoriser', first, '--replace'))
  expect((await show()).authorisers).toEqual([first, null])
})
