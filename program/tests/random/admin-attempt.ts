import type { Instruction, KeyPairSigner } from '@solana/kit'
import {
  addInventoryInstruction,
  amount,
  collectFeesInstruction,
  MAX_DEPOSIT_SECONDS,
  removeInventoryInstruction,
  rotateAuthoriserInstruction,
  setAssetInstruction,
  setConfigInstruction,
} from '@sotto/protocol'
import { withAccount, withoutSignature } from '../fixtures/instruction-edits.ts'
import { reasonsOf, type Attempt, type Refusal, type Run } from './attempt.ts'
import { move } from './model.ts'
import type { AdminStep } from './steps.ts'

/**
 * An admin instruction, the reasons to refuse it, and its effect. Other code adds the reasons that depend on the
 * sender.
 */
interface Draft {
  readonly instruction: Instruction
  readonly reasons: ReadonlySet<Refusal>
  readonly apply: () => void
  readonly coSigner?: KeyPairSigner
}

type Of<Kind extends AdminStep['kind']> = Extract<AdminStep, { kind: Kind }>

/** The admin instruction of a step, sent by the step's signer. */
export async function adminAttempt(run: Run, step: AdminStep): Promise<Attempt> {
  const admin = adminOf(run)
  const draft = await draftOf(run, step, admin)
  const { instruction, coSigner, apply } = draft
  const { thief } = run.snapshot.world.actors
  const others = coSigner === undefined ? [] : [coSigner]
  if (step.by === 'admin') {
    return { ...draft, payees: [], signers: [admin, ...others], instructions: [instruction] }
  }
  const isUnsigned = step.by === 'unsigned'
  const impostor = step.by === 'other admin' ? otherAdmin(run) : thief
  const edited = isUnsigned
    ? withoutSignature(instruction, 0)
    : withAccount(instruction, 0, impostor.address)
  const refusal: Refusal = isUnsigned ? 'MissingSignature' : 'NotAdmin'
  return {
    signers: isUnsigned ? others : [impostor, ...others],
    // If the step changes no admin, the third account of `set_config` is the current admin, who doesn't sign here.
    instructions: [step.kind === 'config' ? withoutAdmin(edited, admin) : edited],
    reasons: new Set([...draft.reasons, refusal]),
    payees: [],
    apply,
  }
}

const adminOf = ({ model, snapshot }: Run): KeyPairSigner => {
  const [first, second] = snapshot.world.actors.admins
  return model.admin === first.address ? first : second
}

const otherAdmin = (run: Run): KeyPairSigner => {
  const [first, second] = run.snapshot.world.actors.admins
  return adminOf(run) === first ? second : first
}

function withoutAdmin(instruction: Instruction, admin: KeyPairSigner): Instruction {
  const isAdmin = instruction.accounts?.[2]?.address === admin.address
  return isAdmin ? withoutSignature(instruction, 2) : instruction
}

async function draftOf(run: Run, step: AdminStep, admin: KeyPairSigner): Promise<Draft> {
  switch (step.kind) {
    case 'config':
      return draftConfig(run, step, admin)
    case 'asset':
      return draftAsset(run, step, admin)
    case 'rotate':
      return draftRotation(run, step, admin)
    case 'add':
    case 'remove':
    case 'collect':
      return draftMovement(run, step, admin)
  }
}

async function draftConfig(run: Run, step: Of<'config'>, admin: KeyPairSigner): Promise<Draft> {
  const { model, snapshot } = run
  const { program } = snapshot.world.fixture.chain
  const successor = step.handsOver ? otherAdmin(run) : admin
  const at = { program, admin: admin.address, newAdmin: successor.address }
  const limit = BigInt(step.maxDepositSeconds)
  const isOutside = limit === 0n || limit > MAX_DEPOSIT_SECONDS
  return {
    instruction: await setConfigInstruction(at, step),
    reasons: reasonsOf([[isOutside, 'LimitOutOfRange']]),
    ...(step.handsOver ? { coSigner: successor } : {}),
    apply: () => {
      model.admin = successor.address
      model.depositsPaused = step.depositsPaused
      model.maxDepositSeconds = limit
    },
  }
}

async function draftAsset(
  { model, snapshot }: Run,
  step: Of<'asset'>,
  admin: KeyPairSigner,
): Promise<Draft> {
  const { program } = snapshot.world.fixture.chain
  const at = { program, admin: admin.address, mint: snapshot.world.mints[step.asset] }
  const limits = { depositMax: amount(step.depositMax), swapCap: amount(step.swapCap) }
  return {
    instruction: await setAssetInstruction(at, { ...step, ...limits }),
    reasons: reasonsOf([[step.swapPeriodSeconds === 0, 'LimitOutOfRange']]),
    apply: () => {
      const { depositsPaused, depositMax, swapCap } = step
      const swapPeriodSeconds = BigInt(step.swapPeriodSeconds)
      const changed = { depositsPaused, depositMax, swapCap, swapPeriodSeconds }
      Object.assign(model.assets[step.asset], changed)
    },
  }
}

async function draftRotation(
  { model, snapshot }: Run,
  step: Of<'rotate'>,
  admin: KeyPairSigner,
): Promise<Draft> {
  const { fixture, actors } = snapshot.world
  const key = step.key === undefined ? undefined : actors.authorisers[step.key].address
  const at = { program: fixture.chain.program, admin: admin.address }
  const rotation = key === undefined ? { slot: step.slot } : { slot: step.slot, key }
  return {
    instruction: await rotateAuthoriserInstruction(at, rotation),
    reasons: new Set(),
    apply: () => {
      model.authorisers[step.slot] = key
    },
  }
}

async function draftMovement(
  { model, snapshot }: Run,
  step: Of<'add' | 'remove' | 'collect'>,
  admin: KeyPairSigner,
): Promise<Draft> {
  const { world } = snapshot
  const { asset, quantity, kind } = step
  const pocket = await world.pocket(admin.address, asset)
  const { program } = world.fixture.chain
  const at = { program, admin: admin.address, mint: world.mints[asset], destination: pocket }
  const build = {
    add: () => addInventoryInstruction({ ...at, source: pocket }, amount(quantity)),
    remove: () => removeInventoryInstruction(at, amount(quantity)),
    collect: () => collectFeesInstruction(at, amount(quantity)),
  }
  const books = model.assets[asset]
  const vault = world.vaults[asset]
  const apply = {
    add: () => {
      books.inventory += quantity
      move(model, pocket, vault, quantity)
    },
    remove: () => {
      books.inventory -= quantity
      move(model, vault, pocket, quantity)
    },
    collect: () => {
      books.fees -= quantity
      move(model, vault, pocket, quantity)
    },
  }
  return {
    instruction: await build[kind](),
    reasons: reasonsOf([
      [quantity === 0n, 'ZeroAmount'],
      [kind === 'remove' && quantity > books.inventory, 'InsufficientInventory'],
      [kind === 'collect' && quantity > books.fees, 'InsufficientFees'],
      [kind === 'add' && (model.money.get(pocket) ?? 0n) < quantity, 'elsewhere'],
    ]),
    apply: apply[kind],
  }
}
