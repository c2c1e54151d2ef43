import { NATIVE_MINT } from '@sotto/protocol'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import { openMigrated } from '../migrated-database.ts'
import { addAgain } from './stack/add-again.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, placeOrder } from './stack/orders.ts'
import { FREE, runOperator } from './stack/run-operator.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const REBUILD = ['rebuild', '--account', 'restored']
const WRITE_OFF = [...REBUILD, '--write-off']

let stack: Stack
let database: Database
let folder: string
beforeAll(async () => {
  stack = await startStack()
  database = await openMigrated()
  folder = await mkdtemp(join(tmpdir(), 'sotto-other-keys-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database?.close()
  await stack?.close()
})

/** Runs a command on an empty database, after the loss of the service's database. */
function operate(secrets: Secrets, ...words: string[]): Promise<{ unopened: number }> {
  const delays = { minDelaySeconds: 0, maxDelaySeconds: 0, meanSeconds: 1, windowSeconds: 3_600 }
  const rebuild = {
    ...{ random: systemRandom, secrets: () => secrets, delays: () => delays },
    ...{ published: () => [], progress: () => undefined },
  }
  const at = { rpc: stack.rpc, program: PROGRAM, database, clock: systemClock, prices: FREE }
  return runOperator({ ...at, rebuild }, ...words)
}

const writtenOff = async () => (await database.query('SELECT 1 FROM written_off', [])).length

it('`rebuild --write-off` is refused until the key of every unopened deposit may have been destroyed', async () => {
  const recipient = makeWallet().address
  const paid = await placeOrder(stack, { amountOut: 200_000_000n, fee: 500_000n, recipient })
  await deposit(stack, paid)
  const others = openFileSecrets(folder, systemRandom)
  await operate(others, 'account', 'add', '--id', 'restored', '--name', 'Restored')
  for (const mint of [NATIVE_MINT, stack.usdc]) {
    await operate(others, ...addAgain(stack.adminFile, mint))
  }

  // The rebuild reads only finalized transactions.
  await waitUntil(async () => (await operate(others, ...REBUILD)).unopened === 1)
  await expect(operate(others, ...WRITE_OFF)).rejects.toThrow(/no epoch keys.*SOTTO_KEYS/)
  // This key belongs to the order's hour but to another service.
  await others.forNewOrder(paid.epoch)
  await expect(operate(others, ...WRITE_OFF)).rejects.toThrow(/too young.*SOTTO_KEYS/)
  expect(await writtenOff()).toBe(0)

  await stack.localnet.local('localnet_advanceTime', [26 * 3_600])
  expect(await operate(others, ...WRITE_OFF)).toMatchObject({ unopened: 1, writtenOff: 1 })
  expect(await writtenOff()).toBe(1)
})
