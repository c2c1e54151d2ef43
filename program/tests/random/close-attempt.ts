import {
  closeNullifierInstruction,
  closeOrderInstruction,
  NULLIFIER_BYTES,
  ORDER_BYTES,
} from '@sotto/protocol'
import { reasonsOf, type Attempt, type Run } from './attempt.ts'
import type { CloseStep } from './steps.ts'
import { pay } from './settle-attempt.ts'

/** The transaction of a step that closes accounts; undefined if there is nothing to close. */
export function closeAttempt({ model, snapshot }: Run, step: CloseStep): Attempt | undefined {
  const { world } = snapshot
  const { chain } = world.fixture
  const isOrder = step.what === 'order'
  const orders = [...model.orders].map(([id, { account, deadline, sender }]) => ({
    account,
    closableAt: deadline + 86_400n,
    rentPayer: sender,
    forget: () => model.orders.delete(id),
    rent: chain.rentMinimum(ORDER_BYTES),
  }))
  const nullifiers = [...model.nullifiers].map(([nullifier, entry]) => ({
    ...entry,
    forget: () => model.nullifiers.delete(nullifier),
    rent: chain.rentMinimum(NULLIFIER_BYTES),
  }))
  const known = isOrder ? orders : nullifiers
  if (known.length === 0) return undefined
  const chosen = step.picks.flatMap((pick) => known[pick % known.length] ?? [])
  const isForThief = step.hostility === 'to thief'
  const isConfused = step.hostility === 'as the other kind'
  const closings = chosen.map(({ account, rentPayer }) => ({
    account,
    rentPayer: isForThief ? world.actors.thief.address : rentPayer,
  }))
  const isOrderTag = isConfused ? !isOrder : isOrder
  const instruction = (isOrderTag ? closeOrderInstruction : closeNullifierInstruction)(
    chain.program,
    closings,
  )
  return {
    signers: [],
    payees: [],
    instructions: [instruction],
    reasons: reasonsOf([
      [chosen.some(({ closableAt }) => model.clock < closableAt), 'TooEarlyToClose'],
      [isForThief, 'WrongAddress'],
      [isConfused, 'WrongAccountData'],
      [new Set(chosen).size < chosen.length, 'WrongOwner'],
    ]),
    apply: () => {
      for (const { rentPayer, rent, forget } of chosen) {
        pay(model, rentPayer, rent)
        forget()
      }
    },
  }
}
