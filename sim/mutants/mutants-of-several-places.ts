import { MEMORY, SETTLEMENT, PAY_STORE, type Mutant } from './mutant.ts'

/** Bugs that consist of several edits. */
export const SEVERAL_PLACES: readonly Mutant[] = [
  {
    name: 'takes_a_broadcast_for_a_delivery',
    seedsMax: 20,
    edits: [
      {
        path: `${SETTLEMENT}/pay/confirm.ts`,
        find: 'if (note !== undefined) await confirm(d, one, note, head)',
        replace: `if (note !== undefined || one.order.attempt !== undefined) await confirm(d, one,
          note ?? { atSeconds: head.unixSeconds - 600n, rentPayer: one.note.sender }, head)`,
      },
      {
        path: `${SETTLEMENT}/notes/settlement-evidence.ts`,
        find: 'if (await isAppended(d, opened, opened.changeLeaf)) return true',
        replace: 'return true',
      },
    ],
  },
  {
    name: 'reseals_a_balance_as_it_was_before_a_payment',
    seedsMax: 300,
    edits: [
      {
        // Without this pause, a payment would rarely complete between the read and the write.
        path: `${SETTLEMENT}/upkeep/reseal-stragglers.ts`,
        find: 'const noteKey = terms.noteKey ?? from.noteKey(orderId)',
        replace: `const noteKey = terms.noteKey ?? from.noteKey(orderId)
  await d.clock.sleep(600_000)`,
      },
      {
        path: `${SETTLEMENT}/pay/keep-lease.ts`,
        find: 'lease.epoch === epoch && Buffer.compare(lease.plan, sealedPlan) === 0',
        replace: 'lease.epoch === epoch',
      },
      {
        path: `${MEMORY}/memory-upkeep-store.ts`,
        find: `if (Buffer.compare(side.sealedPlan ?? order.sealedPlan ?? NOTHING, plan) !== 0) return false`,
        replace: '',
      },
    ],
  },
  {
    name: 'opens_accounts_for_refunds',
    seedsMax: 60,
    edits: [
      {
        path: `${SETTLEMENT}/pay/refund.ts`,
        find: "mint !== NATIVE_MINT) return state === 'payable'",
        replace: "mint !== NATIVE_MINT) return state !== 'blocked'",
      },
      {
        path: `${SETTLEMENT}/pay/refund.ts`,
        find: 'opensAccount: false',
        replace: 'opensAccount: true',
      },
    ],
  },
  {
    name: 'burns_a_proof_at_each_try',
    seedsMax: 60,
    edits: [
      {
        path: `${SETTLEMENT}/pay/deliver.ts`,
        find: "if (state !== 'absent') return state === 'payable'",
        replace: "if (state !== 'absent') return true",
      },
      {
        path: `${SETTLEMENT}/pay/postpone.ts`,
        find: 'PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20)',
        replace: 'PAUSE_FIRST_MS + 0 * failures',
      },
      {
        path: `${SETTLEMENT}/pay/prove.ts`,
        find: 'if (kept === undefined) return d.proofQueue',
        replace: 'return d.proofQueue',
      },
    ],
  },
  {
    name: 'gives_two_workers_one_lease',
    seedsMax: 40,
    edits: [
      {
        path: PAY_STORE,
        find: 'if (isLeaseHeld(side.leaseUntilMs, nowMs, untilMs - nowMs)) return undefined',
        replace: '',
      },
      { path: PAY_STORE, find: 'side.leaseFence += 1n', replace: '' },
    ],
  },
  {
    name: 'attempts_twice_at_once',
    seedsMax: 20,
    edits: [
      {
        path: `${SETTLEMENT}/pay/schedule.ts`,
        find: 'attempt === undefined &&',
        replace: '',
      },
      {
        path: PAY_STORE,
        find: 'if (liveOf(side) !== undefined) return undefined',
        replace: '',
      },
      {
        path: PAY_STORE,
        find: `const { from, to } = ATTEMPT_STATUSES[kind]
      if (side === undefined || liveOf(side) !== undefined) return false`,
        replace: `const { from, to } = ATTEMPT_STATUSES[kind]
      if (side === undefined) return false`,
      },
    ],
  },
]
