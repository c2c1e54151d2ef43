import { expect } from 'vitest'
import { PROGRAM_ERRORS } from '@sotto/protocol'
import type { Attempt, Refusal, Run } from './attempt.ts'
import { expectChainIsModel } from './compare.ts'
import { continueHistory } from './history.ts'
import { expectInvariants, heldBy } from './invariants.ts'
import { cloneModel } from './model.ts'
import { pairAttempt } from './pair-attempt.ts'
import { sentAttempt } from './sent-attempt.ts'
import type { Snapshot } from './snapshot-shape.ts'
import type { Step } from './steps.ts'

const NAMES: ReadonlySet<string> = new Set(PROGRAM_ERRORS.map(({ name }) => name))
/**
 * The virtual machine's errors for a program that panics, accesses memory out of bounds or uses up its compute units.
 */
const CRASH = /ProgramFailedToComplete|AccessViolation|Access violation|ComputationalBudget/

/** Totals over many sequences. They show that the interesting cases occur. */
export interface Tally {
  landed: Map<string, number>
  refused: Map<string, number>
}

/** Runs one sequence from the snapshot. Throws if the chain disagrees with the model or if an invariant is broken. */
export async function runSequence(
  snapshot: Snapshot,
  steps: readonly Step[],
  tally: Tally,
): Promise<void> {
  snapshot.world.reset()
  const run: Run = {
    snapshot,
    model: cloneModel(snapshot.model, snapshot.orders.length),
    history: continueHistory(snapshot.history),
  }
  for (const step of steps) {
    const attempt = await attemptOf(run, step)
    if (attempt !== undefined) await perform(run, attempt, step.kind, tally)
  }
  await expectChainIsModel(run)
}

async function perform(run: Run, attempt: Attempt, kind: string, tally: Tally): Promise<void> {
  const { history, snapshot } = run
  history.paid = []
  history.swaps = []
  const before = new Map(attempt.payees.map((payee) => [payee, heldBy(run, payee)]))
  const outcome = await snapshot.world.send(attempt.signers, attempt.instructions)
  if (outcome.refusal === undefined) {
    expect([...attempt.reasons], `${kind} landed, although the model refuses it`).toEqual([])
    attempt.apply()
    attempt.record?.(history)
    tally.landed.set(kind, (tally.landed.get(kind) ?? 0) + 1)
  } else {
    attempt.discard?.()
    const refusal = refusalOf(outcome.refusal)
    expect(attempt.reasons, `${kind} refused: ${outcome.refusal}`).toContain(refusal)
    tally.refused.set(refusal, (tally.refused.get(refusal) ?? 0) + 1)
  }
  // Compares only the accounts that the transaction names, because the transaction can't change other accounts. The end
  // of the sequence compares all accounts.
  const named = attempt.instructions.flatMap(({ accounts = [] }) => accounts)
  await expectChainIsModel(run, new Set(named.map(({ address }) => address)))
  await expectInvariants(run, before)
}

function refusalOf(text: string): Refusal {
  expect(text).not.toMatch(CRASH)
  return NAMES.has(text) ? (text as Refusal) : 'elsewhere'
}

/** The transaction of a step; undefined for a step that only moves the clock. */
async function attemptOf(run: Run, step: Step): Promise<Attempt | undefined> {
  switch (step.kind) {
    case 'wait':
      return moveClock(run, run.model.clock + step.seconds)
    case 'jump':
      return moveClock(run, instantOf(run, step) + step.shift)
    case 'outlive': {
      const known = [...run.model.nullifiers.values()]
      const chosen = known[step.pick % Math.max(known.length, 1)]
      return chosen && moveClock(run, chosen.closableAt + step.shift)
    }
    case 'pair':
      return pairAttempt(run, step)
    case 'deposit':
    case 'settle':
    case 'close':
    case 'config':
    case 'asset':
    case 'rotate':
    case 'add':
    case 'remove':
    case 'collect':
      return sentAttempt(run, step)
  }
}

/** Moves the clock forward. Like a real chain's clock, it never goes back. */
function moveClock({ model, snapshot }: Run, to: bigint): undefined {
  if (to <= model.clock) return undefined
  model.clock = to
  snapshot.world.fixture.chain.setTime(to)
  return undefined
}

function instantOf({ snapshot }: Run, { note, to }: Extract<Step, { kind: 'jump' }>): bigint {
  const order = snapshot.orders[note % snapshot.orders.length]
  if (order === undefined) throw new Error('the snapshot has no notes')
  const { expiry } = order.note
  switch (to) {
    case 'expiry':
      return expiry
    case 'refund':
      return expiry + 600n
    case 'refund end':
      return expiry + 600n + 3_600n
    case 'last refund':
      return expiry + 2_592_000n
    case 'order closes':
      return order.terms.deadline + 86_400n
  }
}
