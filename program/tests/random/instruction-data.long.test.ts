import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { isSignerRole, type Instruction, type KeyPairSigner } from '@solana/kit'
import {
  addAssetInstruction,
  amount,
  closeNullifierInstruction,
  closeOrderInstruction,
  NATIVE_MINT,
  PROGRAM_ERRORS,
} from '@sotto/protocol'
import { initializePool } from '../fixtures/pool.ts'
import { adminAttempt } from './admin-attempt.ts'
import type { Run } from './attempt.ts'
import { depositAttempt } from './deposit-attempt.ts'
import { emptyHistory } from './history.ts'
import { cloneModel } from './model.ts'
import { takeSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot-shape.ts'

/** Number of inputs; the full CI sets a larger number. */
const INPUTS = Number(process.env['SOTTO_FUZZ_INPUTS'] ?? 3_000)
const NAMES: ReadonlySet<string> = new Set(PROGRAM_ERRORS.map(({ name }) => name))
/** The errors of called programs, and of the runtime if the money is insufficient. */
const CALLED = /InstructionError\(\d, (Custom\(\d{1,2}\)|InsufficientFunds|ArithmeticOverflow)/
const TAGS = 12

/** A valid transaction. The test replaces the data of one instruction in it. */
interface Target {
  readonly tag: number
  readonly signers: readonly KeyPairSigner[]
  readonly before: readonly Instruction[]
  readonly instruction: Instruction
}

let snapshot: Snapshot
let targets: Target[]

beforeAll(async () => {
  snapshot = await takeSnapshot()
  targets = await makeTargets(snapshot)
})

async function makeTargets({ world, settlements, orders, ...rest }: Snapshot): Promise<Target[]> {
  const model = cloneModel(rest.model, orders.length)
  const run: Run = {
    snapshot: { world, settlements, orders, ...rest },
    model,
    history: emptyHistory(),
  }
  const by = 'admin' as const
  const limits = { maxDepositSeconds: 600, handsOver: false }
  const swap = { depositMax: 1n, swapCap: 1n, swapPeriodSeconds: 60 }
  const admin = [
    await adminAttempt(run, { kind: 'config', by, depositsPaused: false, ...limits }),
    await adminAttempt(run, { kind: 'rotate', by, slot: 1, key: 1 }),
    await adminAttempt(run, { kind: 'asset', by, asset: 1, depositsPaused: false, ...swap }),
    await adminAttempt(run, { kind: 'add', by, asset: 0, quantity: 1n }),
    await adminAttempt(run, { kind: 'remove', by, asset: 1, quantity: 1n }),
    await adminAttempt(run, { kind: 'collect', by, asset: 1, quantity: 1n }),
  ]
  const wish = { sender: 0, value: 1_000_000n, partnerFee: 5n, key: 0 } as const
  const kind = 'deposit' as const
  const deposits = [
    await depositAttempt(run, { kind, source: 0, isSwap: false, ...wish, hostility: undefined }),
    await depositAttempt(run, { kind, source: 1, isSwap: true, ...wish, hostility: undefined }),
  ]
  const { program, upgradeAuthority } = world.fixture.chain
  const { admins, relayer } = world.actors
  const [order] = [...model.orders.values()]
  const first = settlements[0]
  if (order === undefined || first === undefined) throw new Error('the snapshot is empty')
  const at = { program, admin: admins[0].address, payer: admins[0].address, mint: NATIVE_MINT }
  const others = [
    [await initializePool(world.fixture.chain, admins[0], world.fixture.tree), upgradeAuthority],
    [await addAssetInstruction(at, { ...swap, depositMax: amount(1n), swapCap: amount(1n) })],
    [closeOrderInstruction(program, [{ account: order.account, rentPayer: order.sender }])],
    [closeNullifierInstruction(program, [{ account: order.account, rentPayer: order.sender }])],
  ] as const
  return [
    ...[...admin, ...deposits].map(({ signers, instructions }) => targetOf(signers, instructions)),
    ...others.map(([instruction, signer]) =>
      targetOf(signer === undefined ? [admins[0]] : [admins[0], signer], [instruction]),
    ),
    ...settlements.slice(0, 4).map(({ instruction }) => targetOf([relayer], [instruction])),
  ]
}

function targetOf(signers: readonly KeyPairSigner[], all: readonly Instruction[]): Target {
  const instruction = all.at(-1)
  if (instruction === undefined) throw new Error('no instruction')
  const needed = (instruction.accounts ?? []).filter(({ role }) => isSignerRole(role))
  const isNeeded = (signer: KeyPairSigner) =>
    needed.some(({ address }) => address === signer.address)
  const tag = instruction.data?.[0] ?? 0
  return { tag, signers: signers.filter(isNeeded), before: all.slice(0, -1), instruction }
}

/**
 * Sends the target with other data. The transaction must land, or fail with a named error or with an error of a called
 * program.
 */
async function expectCleanAnswer(target: Target, data: Uint8Array): Promise<string> {
  const { world } = snapshot
  const { signers, before, instruction } = target
  const outcome = await world.send(signers, [...before, { ...instruction, data }])
  const { refusal = 'landed' } = outcome
  const isClean = refusal === 'landed' || NAMES.has(refusal) || CALLED.test(refusal)
  expect(isClean, `tag ${target.tag}, ${Buffer.from(data).toString('hex')}: ${refusal}`).toBe(true)
  if (refusal === 'landed') world.reset()
  return refusal
}

test('every instruction is among the targets', () => {
  expect(new Set(targets.map(({ tag }) => tag)).size).toBe(TAGS)
})

test('data of a wrong length is refused with a named error', { timeout: 600_000 }, async () => {
  for (const target of targets) {
    const valid = new Uint8Array(target.instruction.data ?? [])
    for (let length = 0; length <= valid.length + 1; length += 1) {
      if (length === valid.length) continue
      const data = new Uint8Array(length)
      data.set(valid.subarray(0, length))
      const answer = await expectCleanAnswer(target, data)
      expect(answer).toBe(length === 0 ? 'UnknownInstruction' : 'InvalidInstructionData')
    }
  }
})

const pick = fc.nat()
const edit = fc.record({
  at: fc.nat(),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    fc.constantFrom(...[0, 0xff, 0x7f, 0x80].map((byte) => new Uint8Array(8).fill(byte))),
  ),
})
const edits = fc.array(edit, { minLength: 1, maxLength: 4 })

/** Overwrites parts of the valid data. The tag stays, because the program refuses most other tags immediately. */
function mutate(valid: Uint8Array, changes: readonly { at: number; bytes: Uint8Array }[]) {
  const data = new Uint8Array(valid)
  for (const { at, bytes } of changes) {
    const from = 1 + (at % Math.max(data.length - 1, 1))
    data.set(bytes.subarray(0, Math.max(data.length - from, 0)), Math.min(from, data.length))
  }
  return data
}

test(
  'mutated data lands or is refused with a named error',
  { timeout: 100 * INPUTS + 60_000 },
  async () => {
    const answers = new Set<string>()
    await fc.assert(
      fc.asyncProperty(pick, edits, async (index, changes) => {
        const target = targets[index % targets.length]
        if (target === undefined) throw new Error('no targets')
        const data = mutate(new Uint8Array(target.instruction.data ?? []), changes)
        answers.add(await expectCleanAnswer(target, data))
      }),
      { numRuns: Math.ceil(INPUTS / 2) },
    )
    expect(answers.size).toBeGreaterThan(10)
  },
)

test(
  'random bytes land or are refused with a named error',
  { timeout: 100 * INPUTS + 60_000 },
  async () => {
    // This many bytes fit into the transaction. No instruction accepts data of this length.
    const bytes = fc.uint8Array({ maxLength: 385, size: 'max' })
    await fc.assert(
      fc.asyncProperty(pick, bytes, fc.boolean(), async (index, random, isTagged) => {
        const target = targets[index % targets.length]
        if (target === undefined) throw new Error('no targets')
        const valid = target.instruction.data?.length ?? 0
        const data = new Uint8Array(isTagged ? valid : random.length)
        data.set(random.subarray(0, data.length))
        if (isTagged && data.length > 0) data[0] = target.tag
        await expectCleanAnswer(target, data)
      }),
      { numRuns: Math.ceil(INPUTS / 2) },
    )
  },
)
