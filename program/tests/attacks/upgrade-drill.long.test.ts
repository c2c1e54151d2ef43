import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { programDataAddress, programFactsOf } from '@sotto/protocol'
import { PROGRAM_FILE } from '../fixtures/chain.ts'
import { draftOrder, sendDeposit } from '../fixtures/deposits.ts'
import { expectLanded, readAsset, START } from '../fixtures/pool.ts'
import { prove } from '../fixtures/proofs.ts'
import { makeSecondKey } from '../fixtures/second-key.ts'
import { settle, statementOf } from '../fixtures/settlements.ts'
import { expectInvariants } from '../random/invariants.ts'
import { treeOf } from '../random/recorded-proofs.ts'
import { takeSnapshot } from '../random/snapshot.ts'
import type { PreparedSettlement, Snapshot } from '../random/snapshot-shape.ts'
import { relay, settlementOf } from './prepared-pool.ts'

const CLOCK = START + 60n
const committed = new Uint8Array(readFileSync(PROGRAM_FILE))
const vk = readFileSync(new URL('../../src/vk.rs', import.meta.url), 'utf8')

let snapshot: Snapshot

beforeAll(async () => {
  snapshot = await takeSnapshot()
})
beforeEach(async () => {
  await upgradeTo(committed)
  snapshot.world.reset()
})

/** Replaces the program's code at its address and keeps the authority, as an upgrade by the loader does. */
async function upgradeTo(code: Uint8Array): Promise<void> {
  const { chain } = snapshot.world.fixture
  chain.svm.addProgram(chain.program, code)
  await chain.setUpgradeAuthority(chain.upgradeAuthority.address)
  chain.svm.expireBlockhash()
}

/** The bytes of a point of the verifying key, read from the program's source. */
function pointOf(name: string): Uint8Array {
  const text = new RegExp(`${name}: \\[([^\\]]+)\\]`).exec(vk)?.[1] ?? ''
  const bytes = text.match(/0x[0-9a-f]{2}/g) ?? []
  return Uint8Array.from(bytes, Number)
}

/**
 * The code with every `from` replaced by `to`. The compiler may store a constant as data, or in several instructions
 * with four bytes each. So the function replaces four bytes at a time.
 */
function patched(from: Uint8Array, to: Uint8Array): Uint8Array {
  const code = Buffer.from(committed)
  for (let word = 0; word < from.length; word += 4) {
    const wanted = Buffer.from(from.slice(word, word + 4))
    const places: number[] = []
    for (let at = code.indexOf(wanted); at >= 0; at = code.indexOf(wanted, at + 1)) places.push(at)
    expect(places.length, 'places to patch').toBeGreaterThan(0)
    for (const at of places) code.set(to.slice(word, word + 4), at)
  }
  return new Uint8Array(code)
}

/** The program with a key that another ceremony could have made. That key would differ from ours at least in delta. */
const withForeignKey = () => patched(pointOf('vk_delta_g2'), pointOf('vk_beta_g2'))
/** The next version of the program: it logs a different text and verifies proofs with the same key. */
const nextVersion = () => patched(Buffer.from('sett'), Buffer.from('SETT'))

const submit = ({ instruction }: PreparedSettlement, clock = CLOCK) =>
  relay(snapshot, clock, [instruction])

async function expectFundsAccounted(): Promise<void> {
  const { model, history } = snapshot
  await expectInvariants({ snapshot, model, history })
}

test('notes can be settled after an upgrade with the same accounts and the same verifying key', async () => {
  expect(await submit(settlementOf(snapshot, 4, false))).toBeUndefined()
  await upgradeTo(nextVersion())
  expect(await submit(settlementOf(snapshot, 5, false))).toBeUndefined()
  expect(await submit(settlementOf(snapshot, 4, false))).toBe('NullifierSpent')
  const refund = settlementOf(snapshot, 6, true)
  expect(await submit(refund, refund.settlement.time)).toBeUndefined()
  const { fixture, mints } = snapshot.world
  const order = await draftOrder(fixture, { sourceMint: mints[0], amountOut: 1_000_000_000n })
  const before = (await readAsset(fixture, mints[0])).owed
  expectLanded(await sendDeposit(fixture, order))
  expect((await readAsset(fixture, mints[0])).owed - before).toBe(1_000_000_000n)
})

test('a program with another verifying key refuses old proofs', async () => {
  await upgradeTo(withForeignKey())
  for (const note of [4, 5, 6, 7]) {
    expect(await submit(settlementOf(snapshot, note, false))).toBe('ProofInvalid')
  }
  const refund = settlementOf(snapshot, 4, true)
  expect(await submit(refund, refund.settlement.time)).toBe('ProofInvalid')
  await expectFundsAccounted()
})

test('notes can be settled with another key of the same circuit', async () => {
  const { fixture, actors, mints } = snapshot.world
  const key = await makeSecondKey()
  onTestFinished(() => key.remove())
  /** The same settlement with a new proof, made with the second key. */
  const proveAnew = async ({ note: index, asset, settlement }: PreparedSettlement) => {
    const tree = treeOf(snapshot.orders)
    const { inputs } = statementOf(tree, snapshot.orders[index]!, index, settlement)
    const proof = await prove(inputs, key.zkey)
    return settle(fixture, actors.relayer, mints[asset], { ...settlement, proof })
  }
  const [spent, delivery, refund] = [
    settlementOf(snapshot, 4, false),
    settlementOf(snapshot, 5, false),
    settlementOf(snapshot, 6, true),
  ]
  const anew = { refund: await proveAnew(refund), delivery: await proveAnew(delivery) }
  expect(await submit(spent)).toBeUndefined()
  // Before the upgrade, only proofs made with the first key are valid; afterwards, only proofs made with the second key
  // are valid.
  expect(await relay(snapshot, CLOCK, [anew.delivery])).toBe('ProofInvalid')
  await upgradeTo(patched(pointOf('vk_delta_g2'), key.delta))
  expect(await submit(delivery)).toBe('ProofInvalid')
  expect(await relay(snapshot, CLOCK, [anew.delivery])).toBeUndefined()
  expect(await relay(snapshot, CLOCK, [await proveAnew(spent)])).toBe('NullifierSpent')
  expect(await submit(refund, refund.settlement.time)).toBe('ProofInvalid')
  expect(await relay(snapshot, refund.settlement.time, [anew.refund])).toBeUndefined()
}, 400_000)

test('notes can be settled again after a program with a wrong key is rolled back', async () => {
  await upgradeTo(withForeignKey())
  const delivery = settlementOf(snapshot, 7, false)
  expect(await submit(delivery)).toBe('ProofInvalid')
  await upgradeTo(committed)
  expect(await submit(delivery)).toBeUndefined()
  // A note that expired in the meantime can be refunded, if its refund window hasn't ended.
  const refund = settlementOf(snapshot, 4, true)
  await upgradeTo(withForeignKey())
  expect(await submit(refund, refund.settlement.time)).toBe('ProofInvalid')
  await upgradeTo(committed)
  expect(await submit(refund, refund.settlement.time + 3_600n)).toBeUndefined()
})

test('the chain shows the program’s hash and its upgrade authority', async () => {
  const { chain } = snapshot.world.fixture
  const address = await programDataAddress(chain.program)
  const facts = () => programFactsOf(chain.data(address) ?? new Uint8Array())
  const before = facts()
  expect(before).toMatchObject({
    isExpected: true,
    upgradeAuthority: chain.upgradeAuthority.address,
  })
  await upgradeTo(nextVersion())
  expect(facts()).toMatchObject({ isExpected: false })
  expect(facts().sha256).not.toBe(before.sha256)
  await upgradeTo(committed)
  expect(facts()).toEqual(before)
  await chain.setUpgradeAuthority(undefined)
  expect(facts().upgradeAuthority).toBeNull()
})
