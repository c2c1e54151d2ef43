import { NATIVE_MINT } from '@sotto/protocol'
import { Command } from 'commander'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { registerAccountCommands } from '../../src/operator/account/account-commands.ts'
import { registerAssetCommands } from '../../src/operator/asset/asset-commands.ts'
import { registerRebuildCommand } from '../../src/operator/rebuild/rebuild-command.ts'
import { startEngine } from '../settlement/stack/engine.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import { deposit, placeOrder, waitForStatus } from '../settlement/stack/orders.ts'
import { FREE } from '../settlement/stack/run-operator.ts'
import { startStack } from '../settlement/stack/stack.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { openMigrated } from '../migrated-database.ts'

it('`rebuild --write-off` refuses to write off a paid, open order whose key cannot have been destroyed yet', async () => {
  const stack = await startStack()
  const engine = startEngine(stack)
  const waiting = await placeOrder(stack, {
    amountOut: 200_000_000n,
    fee: 500_000n,
    recipient: makeWallet().address,
    sealed: { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 },
  })
  await deposit(stack, waiting)
  await waitForStatus(stack, waiting, 'deposited')
  await engine.stop()
  const database = await openMigrated()
  // A shell without SOTTO_KEYS: an empty keystore in ./.sotto/keys.
  const empty = openFileSecrets(await mkdtemp(join(tmpdir(), 'sotto-no-keys-')), systemRandom)
  let printed: any
  const operate = async (...words: string[]) => {
    const withContext = (work: any) =>
      work({
        rpc: stack.rpc,
        program: PROGRAM,
        database,
        clock: systemClock,
        prices: FREE,
        out: (r: any) => (printed = r),
      })
    const program = new Command('s').exitOverride()
    registerAccountCommands(program, withContext)
    registerAssetCommands(program, withContext)
    registerRebuildCommand(program, withContext, {
      random: systemRandom,
      secrets: () => empty,
      delays: () => ({
        minDelaySeconds: 0,
        maxDelaySeconds: 0,
        meanSeconds: 1,
        windowSeconds: 3_600,
      }),
      published: () => [],
      progress: () => undefined,
    })
    await program.parseAsync(words, { from: 'user' })
    return printed
  }
  await operate('account', 'add', '--id', 'restored', '--name', 'R')
  for (const mint of [NATIVE_MINT, stack.usdc])
    await operate(
      ...`asset add --admin ${stack.adminFile} --mint ${mint} --symbol A --name A --service-bps 20 --network-fee-exists 1000 --network-fee-created 2000 --input-max 100000000000 --swap-cap 1 --swap-period 3600`.split(
        ' ',
      ),
    )
  const outcome = await operate('rebuild', '--account', 'restored', '--write-off').catch(
    (e: Error) => e,
  )
  console.log(JSON.stringify(outcome).slice(0, 900))
  await stack.close()
  await database.close()
  expect(outcome).toBeInstanceOf(Error)
})
