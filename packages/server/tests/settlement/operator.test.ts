import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, placeOrder, waitForStatus } from './stack/orders.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { FREE, runOperator } from './stack/run-operator.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const FEE = 900_000n
const SIGNATURE_FEE = 5_000n

interface Shown {
  readonly authorisers: (string | null)[]
  readonly depositsPaused: boolean
  readonly maxDepositSeconds: number
  readonly notes: string
  readonly assets: {
    readonly mint: string
    readonly vault: Address
    readonly held: string
    readonly fees: string
    readonly inventory: string
  }[]
}

let stack: Stack
let engine: Engine
beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

const asAdmin = (...words: string[]) => stack.operate(...words, '--admin', stack.adminFile)
const show = () => stack.operate<Shown>('pool', 'show')
const initWith = (authoriser: string) => [
  ...['pool', 'init', '--payer', stack.adminFile, '--upgrade-authority', stack.adminFile],
  ...['--authoriser', authoriser],
]

it('a repeated set-up of the pool changes nothing', async () => {
  expect(await asAdmin(...initWith(stack.authoriser.address))).toMatchObject({ existed: true })
  await expect(asAdmin(...initWith(makeWallet().address))).rejects.toThrow(/another authoriser/)
})

/** A node directly after `pool init`: the pool's accounts exist at `confirmed`, but not yet at `finalized`. */
function notFinalYet(): Stack['rpc'] {
  return new Proxy(stack.rpc, {
    get: (node, name) => {
      if (name !== 'getMultipleAccounts') return Reflect.get(node, name) as unknown
      return (addresses: never[], options: { commitment?: string }) => {
        const request = node.getMultipleAccounts(addresses, options as never)
        if (options.commitment !== 'finalized') return request
        const send = async () => {
          const { context } = await request.send()
          return { context, value: addresses.map(() => null) }
        }
        return { send }
      }
    },
  })
}

it('a pool that is not final yet is refused', async () => {
  const { database } = stack
  const context = {
    rpc: notFinalYet(),
    program: PROGRAM,
    database,
    clock: systemClock,
    prices: FREE,
  }
  const shown = runOperator(context, 'pool', 'show')
  await expect(shown).rejects.toMatchObject({ name: 'OperatorError' })
  await expect(shown).rejects.toThrow(/not final yet/)
})

it('a second authoriser can be set and unset', async () => {
  const next = makeWallet().address
  await asAdmin('pool', 'rotate', '--slot', '1', '--authoriser', next)
  expect((await show()).authorisers).toEqual([stack.authoriser.address, next])
  await asAdmin('pool', 'rotate', '--slot', '1', '--unset')
  expect((await show()).authorisers).toEqual([stack.authoriser.address, null])
  await asAdmin('pool', 'config', '--pause-deposits', 'on')
  await asAdmin('pool', 'config', '--max-deposit-seconds', '3000')
  expect(await show()).toMatchObject({ depositsPaused: true, maxDepositSeconds: 3_000 })
  await asAdmin('pool', 'config', '--pause-deposits', 'off')
})

it('a key in a slot is replaced only with `--replace`', async () => {
  const [next, other] = [makeWallet().address, makeWallet().address]
  const rotate = (...words: string[]) => asAdmin('pool', 'rotate', '--slot', '1', ...words)
  await rotate('--authoriser', next)
  for (const more of [[], ['--unsigned']]) {
    await expect(rotate('--authoriser', other, ...more)).rejects.toThrow(/slot 1 .*--replace/)
  }
  await expect(asAdmin('pool', 'rotate', '--slot', '0', '--authoriser', other)).rejects.toThrow(
    /slot 0 .*--replace/,
  )
  expect((await show()).authorisers).toEqual([stack.authoriser.address, next])
  // Repeating the command changes nothing.
  await rotate('--authoriser', next)
  await rotate('--authoriser', other, '--replace')
  expect((await show()).authorisers).toEqual([stack.authoriser.address, other])
  await rotate('--unset')
})

it('money that is sent to the vault that `pool show` names covers the asset’s books', async () => {
  const heldOf = async (mint: string) => (await show()).assets.find((asset) => asset.mint === mint)
  const [sol, usdc] = [await heldOf(NATIVE_MINT), await heldOf(stack.usdc)]
  await stack.localnet.local('requestAirdrop', [sol?.vault, 7_000_000])
  const { value } = await stack.rpc
    .getTokenAccountBalance(usdc!.vault, { commitment: 'confirmed' })
    .send()
  expect(value.amount).toBe(usdc?.held)
  await waitUntil(async () => {
    const { held } = (await heldOf(NATIVE_MINT)) ?? {}
    return BigInt(held ?? 0) === BigInt(sol?.held ?? 0) + 7_000_000n
  })
})

it('a refusal names the program’s error', async () => {
  const config = ['pool', 'config', '--max-deposit-seconds', '999999']
  await expect(asAdmin(...config)).rejects.toThrow(/LimitOutOfRange/)
})

it('only the named settings of an asset change', async () => {
  await asAdmin('asset', 'set', '--mint', stack.usdc, '--service-bps', '35', '--input-max', '7000')
  const [row] = await stack.database.query(
    'SELECT service_bps, input_max, symbol, is_swappable FROM assets WHERE mint = $1',
    [stack.usdc],
  )
  expect(row).toEqual({ service_bps: 35, input_max: '7000', symbol: 'USDC', is_swappable: true })
})

it('the admin receives exactly the removed inventory', async () => {
  // A command ends when its transaction is confirmed. So the test reads the balance at `confirmed`.
  const balance = async () => {
    const { address } = stack.admin
    return (await stack.rpc.getBalance(address, { commitment: 'confirmed' }).send()).value
  }
  const before = await balance()
  const move = ['--mint', NATIVE_MINT, '--amount', '1234567']
  expect(await asAdmin('inventory', 'remove', ...move)).toMatchObject({ inventory: '49998765433' })
  expect(await balance()).toBe(before + 1_234_567n - SIGNATURE_FEE)
  expect(await asAdmin('inventory', 'add', ...move)).toMatchObject({ inventory: '50000000000' })
  expect(await balance()).toBe(before - 2n * SIGNATURE_FEE)
})

it('exactly the earned fees can be collected', async () => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: 60_000_000n, fee: FEE, recipient })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'delivered')
  const collect = ['fees', 'collect', '--mint', NATIVE_MINT, '--amount']
  await expect(asAdmin(...collect, `${FEE + 1n}`)).rejects.toThrow(/the program refuses/)
  expect(await asAdmin(...collect, `${FEE}`)).toMatchObject({ collected: `${FEE}`, remaining: '0' })
})
