import { ceilToGrid, closeOrderInstruction, NATIVE_MINT, orderAddress } from '@sotto/protocol'
import { positionFromChain } from '@sotto/recovery'
import { Command } from 'commander'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { wasmPoseidon } from '@sotto/poseidon'
import { readClock } from '../../src/adapters/chain/settlement/read-head.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { sqlPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { registerAccountCommands } from '../../src/operator/account/account-commands.ts'
import { registerAssetCommands } from '../../src/operator/asset/asset-commands.ts'
import type { OperatorContext } from '../../src/operator/context.ts'
import { OperatorError } from '../../src/start/operator-error.ts'
import { registerLeavesCommands } from '../../src/operator/rebuild/leaves-commands.ts'
import { registerRebuildCommand } from '../../src/operator/rebuild/rebuild-command.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import { addAgain } from './stack/add-again.ts'
import { countUnknown } from './stack/count-unknown.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import {
  deposit,
  lamportsOf,
  land,
  placeOrder,
  readState,
  tokensOf,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'
import { openMigrated } from '../migrated-database.ts'
import { FREE } from './stack/run-operator.ts'

interface Report {
  readonly restored: number
  readonly alreadyThere: number
  readonly unopened: number
  readonly writtenOff: number
  readonly deposits: number
  readonly notRestored: string[]
}

const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
const AT_ONCE = { minDelaySeconds: 0, maxDelaySeconds: 0 }
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
let stack: Stack
let engine: Engine | undefined
let told: string[] = []
beforeAll(async () => {
  stack = await startStack(openDatabase)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.database.close()
  await stack?.close()
})

/** Opens a database that may be closed twice. The test closes it to discard it, and the stack closes it at the end. */
async function openDatabase(): Promise<Database> {
  const database = await openMigrated()
  let closed: Promise<void> | undefined
  return { ...database, close: () => (closed ??= database.close()) }
}

/** Runs a command line on the current database. */
async function operate(words: readonly string[], secrets: Secrets = stack.secrets) {
  let printed: unknown
  const { database } = stack
  const base = { rpc: stack.rpc, program: PROGRAM, database, clock: systemClock, prices: FREE }
  const withContext = (work: (context: OperatorContext) => Promise<void>) =>
    work({ ...base, out: (result) => (printed = result) })
  const program = new Command('sotto-server').exitOverride()
  registerAccountCommands(program, withContext)
  registerAssetCommands(program, withContext)
  registerLeavesCommands(program, withContext)
  registerRebuildCommand(program, withContext, {
    random: systemRandom,
    secrets: () => secrets,
    delays: () => ({ ...AT_ONCE, meanSeconds: 1, windowSeconds: 3_600 }),
    published: () => [],
    progress: (text) => told.push(text),
  })
  await program.parseAsync([...words], { from: 'user' })
  return printed as Report
}

const rebuild = (...more: string[]) => operate(['rebuild', '--account', 'restored', ...more])

const addAsset = (mint: string) => operate(addAgain(stack.adminFile, mint))

async function storedLeaves(): Promise<number> {
  return (await stack.database.query('SELECT 1 FROM leaves', [])).length
}

/** Discards everything except the chain and the keystore. */
async function loseDatabase(): Promise<void> {
  await engine?.stop()
  engine = undefined
  await stack.database.close()
  const database = await openDatabase()
  await migrate(database)
  stack = { ...stack, database }
}

describe('a lost database', () => {
  let delivered: PlacedOrder
  let waiting: PlacedOrder
  let token: PlacedOrder
  let late: PlacedOrder
  let refundable: PlacedOrder
  let swap: PlacedOrder
  beforeAll(async () => {
    engine = startEngine(stack)
    const wish = { amountOut: 200_000_000n, fee: 500_000n }
    const to = () => ({ ...wish, recipient: makeWallet().address })
    delivered = await placeOrder(stack, to())
    waiting = await placeOrder(stack, { ...to(), sealed: NEVER })
    late = await placeOrder(stack, to())
    refundable = await placeOrder(stack, { ...to(), mint: stack.usdc, sealed: NEVER })
    token = await placeOrder(stack, {
      ...to(),
      mint: stack.usdc,
      sealed: { ...NEVER, accountExisted: false },
    })
    swap = await placeOrder(stack, {
      ...to(),
      given: { mint: stack.usdc, amountIn: 150_000_000n },
      sealed: NEVER,
    })
    for (const order of [delivered, waiting, token, swap]) await deposit(stack, order)
    await waitForStatus(stack, delivered, 'delivered')
    for (const order of [waiting, token, swap]) await waitForStatus(stack, order, 'deposited')
    await loseDatabase()
  })

  const native = ({ recipient }: PlacedOrder) => lamportsOf(stack, recipient)
  const usdc = ({ recipient }: PlacedOrder) => tokensOf(stack, recipient, stack.usdc)

  it('is not rebuilt before its assets and account exist', async () => {
    await expect(rebuild()).rejects.toThrow('no account')
    await operate(['account', 'add', '--id', 'restored', '--name', 'Restored'])
    await expect(rebuild()).rejects.toThrow('asset add')
    expect(await stack.database.query('SELECT 1 FROM orders', [])).toEqual([])
  })

  it('is restored from the chain and the keystore', async () => {
    await addAsset(NATIVE_MINT)
    await addAsset(stack.usdc)
    told = []
    const report = await rebuild()
    expect(report).toMatchObject({ deposits: 4, restored: 4, alreadyThere: 0, hasAllPayees: true })
    expect(report.notRestored.join()).toContain('API keys')
    expect(told).toContain('read 4 of 4 deposits')
    expect((await readState(stack, waiting)).status).toBe('deposited')
    const { wasPaid } = sqlPaidPayees(stack.database, systemClock)
    const paid = [delivered, waiting].map(async ({ recipient }) => wasPaid(recipient, 'asker'))
    expect(await Promise.all(paid)).toEqual([true, false])
    engine = startEngine(stack)
    for (const order of [delivered, waiting, token, swap]) {
      await waitForStatus(stack, order, 'delivered')
    }
    // The order was delivered before the database was lost, and is not delivered again.
    expect((await readState(stack, delivered)).attempts).toEqual([])
    expect(await native(delivered)).toBe(200_000_000n)
    expect(await native(waiting)).toBe(200_000_000n)
    expect(await native(swap)).toBe(200_000_000n)
    expect(await usdc(token)).toBe(200_000_000n)
    expect(engine.reports.alerts).toEqual([])
  })

  it('exports its leaves to a file that matches the chain', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-leaves-'))
    const file = join(folder, 'leaves')
    try {
      // There are eight leaves: four deposits and their settlements.
      await waitUntil(async () => (await storedLeaves()) === 8)
      expect(await operate(['leaves', 'export', '--file', file])).toMatchObject({ leaves: 8 })
      expect(await operate(['leaves', 'check', '--file', file])).toMatchObject({ leaves: 8 })
      expect(await operate(['leaves', 'publish', folder])).toMatchObject({ leaves: 8 })
      const bytes = await readFile(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
      await writeFile(file, bytes)
      await expect(operate(['leaves', 'check', '--file', file])).rejects.toThrow(
        "differs from the chain's",
      )
      await writeFile(file, bytes.subarray(0, -1))
      await expect(operate(['leaves', 'check', '--file', file])).rejects.toThrow(
        'not a complete file of leaves',
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is rebuilt over existing orders only with `--add`', async () => {
    await expect(rebuild()).rejects.toThrow(OperatorError)
    expect(await rebuild('--add')).toMatchObject({ restored: 0, alreadyThere: 4 })
    expect((await readState(stack, delivered)).status).toBe('delivered')
  })

  it('gets orders back whose deposits were made after the loss', async () => {
    await deposit(stack, late)
    await deposit(stack, refundable)
    await waitUntil(async () => (await storedLeaves()) === 10)
    expect(await countUnknown(stack)).toBe(2)
    await engine?.stop()
    await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
    engine = startEngine(stack)
    await waitUntil(async () => (await rebuild('--add')).alreadyThere === 6)
    for (const order of [late, refundable]) await waitForStatus(stack, order, 'refunded')
    expect(await native(late)).toBe(0n)
    const back = await tokensOf(stack, refundable.terms.sender, stack.usdc)
    expect(back).toBe(refundable.terms.amountIn)
    await waitUntil(async () => (await storedLeaves()) === 12)
    expect(await countUnknown(stack)).toBe(0)
  })

  it('counts no leaf as unexplained after `--write-off`', async () => {
    await loseDatabase()
    await operate(['account', 'add', '--id', 'restored', '--name', 'Restored'])
    await addAsset(NATIVE_MINT)
    await addAsset(stack.usdc)
    const folder = await mkdtemp(join(tmpdir(), 'sotto-other-keys-'))
    try {
      const others = openFileSecrets(folder, systemRandom)
      // This key belongs to the same hour but to another service, so it doesn't open the payload.
      await others.forNewOrder(delivered.epoch)
      const words = ['rebuild', '--account', 'restored']
      const found = { restored: 0, unopened: 6 }
      expect(await operate(words, others)).toMatchObject({ ...found, writtenOff: 0 })
      expect(await countUnknown({ ...stack, secrets: others })).toBe(12)
      // The keys of deposits that are two days old may have been destroyed on schedule.
      await stack.localnet.local('localnet_advanceTime', [2 * 86_400])
      const written = await operate([...words, '--write-off'], others)
      expect(written).toMatchObject({ ...found, writtenOff: 6 })
      expect(await countUnknown({ ...stack, secrets: others })).toBe(0)
    } finally {
      await rm(folder, { recursive: true })
    }
    // The right keys still open all payloads.
    expect(await rebuild()).toMatchObject({ restored: 6, unopened: 0 })
  })

  it('gets an order back with its first deposit if the order’s id is deposited twice', async () => {
    const { sender, terms } = delivered
    const account = await orderAddress(PROGRAM, terms.orderId)
    await land(stack, sender, [
      closeOrderInstruction(PROGRAM, [{ account, rentPayer: sender.address }]),
    ])
    // An attacker who has stolen the authoriser's key can make this deposit, even with the order's own note.
    const deadline = ceilToGrid((await readClock(stack.rpc)) + 1_800n)
    const times = { deadline, validUntil: deadline }
    await deposit(stack, { ...delivered, terms: { ...terms, ...times } })
    const recipient = makeWallet().address
    const next = await placeOrder(stack, {
      ...{ amountOut: 200_000_000n, fee: 500_000n, recipient, sealed: NEVER },
    })
    await deposit(stack, next)
    engine = startEngine(stack)
    await waitForStatus(stack, next, 'deposited')
    const { alerts } = engine.reports
    await waitUntil(async () => alerts.includes('deposit_terms_differ'))
    expect(engine.reports.events).not.toContain('rescan')

    await loseDatabase()
    await operate(['account', 'add', '--id', 'restored', '--name', 'Restored'])
    await addAsset(NATIVE_MINT)
    await addAsset(stack.usdc)
    // The second deposit with this id belongs to no order.
    const all = { deposits: 8, restored: 7, alreadyThere: 0, unopened: 1 }
    expect(await rebuild()).toMatchObject(all)
    expect(await rebuild('--add')).toMatchObject({ ...all, restored: 0, alreadyThere: 7 })
    engine = startEngine(stack)
    await waitForStatus(stack, delivered, 'delivered')
    await waitForStatus(stack, next, 'deposited')
    expect(await rebuild('--add', '--write-off')).toMatchObject({ writtenOff: 1 })
    for (const [order, leafIndex] of [
      [delivered, 0n],
      [next, 13n],
    ] as const) {
      const ticket = { program: PROGRAM, orderId: order.terms.orderId, note: order.note }
      const found = await positionFromChain(stack.rpc, wasmPoseidon, ticket)
      expect(found.leafIndex).toBe(leafIndex)
    }
  })
})
