/** A change of one place; its text must stand there exactly once. */
export interface Edit {
  /** From the repository's root. */
  readonly path: string
  readonly find: string
  readonly replace: string
}

/** A bug that the simulator must find, to show that it can. */
export interface Mutant {
  readonly name: string
  readonly edits: readonly Edit[]
  /** It must be found within so many seeds. */
  readonly seedsMax: number
}

const SETTLEMENT = 'packages/server/src/settlement'
const MEMORY = 'packages/server/src/adapters/store/memory'
const SETTLE_STORE = `${MEMORY}/memory-settle-store.ts`

const mutant = (
  name: string,
  path: string,
  find: string,
  replace: string,
  seedsMax = 20,
): Mutant => ({
  name,
  edits: [{ path, find, replace }],
  seedsMax,
})

const ONE_PLACE: readonly Mutant[] = [
  mutant(
    'skips_the_journal',
    `${SETTLEMENT}/attempt-settlement.ts`,
    'if (!(await tryJournal(d, opened, lease, attempt))) return',
    '',
  ),
  mutant(
    'broadcasts_before_the_journal',
    `${SETTLEMENT}/attempt-settlement.ts`,
    'if (!(await tryJournal(d, opened, lease, attempt))) return',
    'await broadcast(d, signed.wire); if (!(await tryJournal(d, opened, lease, attempt))) return',
  ),
  mutant(
    'calls_an_attempt_dead_that_can_land',
    `${SETTLEMENT}/recover.ts`,
    'head.blockHeight > attempt.lastValidBlockHeight',
    'head.blockHeight + 25n > attempt.lastValidBlockHeight',
  ),
  mutant(
    'never_calls_an_attempt_dead',
    `${SETTLEMENT}/recover.ts`,
    'head.blockHeight > attempt.lastValidBlockHeight',
    'false',
  ),
  mutant(
    'ignores_fences',
    SETTLE_STORE,
    'settlement?.leaseFence === fence ? settlement : undefined',
    'settlement',
    60,
  ),
  mutant(
    'takes_a_broadcast_for_a_delivery',
    `${SETTLEMENT}/confirm.ts`,
    'if (note !== undefined) await confirm(d, one, note, head)',
    `if (note !== undefined || one.order.attempt !== undefined) await confirm(d, one,
      note ?? { atSeconds: head.unixSeconds - 600n, rentPayer: one.note.sender }, head)`,
  ),
  mutant(
    'reads_what_is_not_final',
    'sim/chain/node.ts',
    'return this.chain.blockAt(commitment, this.#lag)',
    "return this.chain.blockAt('confirmed', 0)",
    40,
  ),
  mutant(
    'expires_by_the_wall_clock',
    `${SETTLEMENT}/follow-chain.ts`,
    'tryRecord({ ...batch, deposits, disowned }',
    `tryRecord({ ...batch, head: { ...batch.head,
      unixSeconds: BigInt(Math.floor(d.clock.nowMs() / 1000)) }, deposits, disowned }`,
  ),
  mutant(
    'expires_a_minute_early',
    `${MEMORY}/record-step.ts`,
    'order.validUntil >= clock',
    'order.validUntil >= clock + 60n',
  ),
  mutant(
    'records_leaves_whose_root_differs',
    `${SETTLEMENT}/follow-chain.ts`,
    'if (!agrees(tree, head, roots)) {',
    'if (false) {',
    40,
  ),
  mutant(
    'moves_the_cursor_without_the_leaves',
    `${SETTLEMENT}/follow-chain.ts`,
    'tryRecord({ ...batch, deposits, disowned }',
    'tryRecord({ ...batch, leaves: [], deposits, disowned }',
  ),
  mutant(
    'gives_up_before_the_expiry',
    `${SETTLEMENT}/next-step.ts`,
    'if (clock > note.expiry) {',
    'if (clock > note.expiry - 600n) {',
    40,
  ),
  mutant(
    'pays_the_sender',
    `${SETTLEMENT}/prove.ts`,
    'payee: isRefund ? note.sender : note.recipient',
    'payee: note.sender',
  ),
  mutant(
    'ignores_the_drawn_time',
    `${SETTLEMENT}/next-step.ts`,
    'return waitMs <= 0n || waitMs > leftMs',
    'return true',
    60,
  ),
  mutant(
    'calls_every_end_a_delivery',
    `${SETTLEMENT}/confirm.ts`,
    "outcome.kind === 'refund' ? 'refunded' : 'delivered'",
    "'delivered'",
    60,
  ),
  mutant(
    'never_draws_another_plan',
    SETTLE_STORE,
    'if (side === undefined) return false\n      side.sealedPlan = sealedPlan',
    'if (side === undefined) return false',
    200,
  ),
  mutant(
    'makes_two_orders_of_one_key',
    `${MEMORY}/memory-order-store.ts`,
    "if (isTaken(database, order)) return 'taken'",
    '',
    40,
  ),
  mutant(
    'refreshes_into_another_order',
    'packages/server/src/usecases/refresh-transaction.ts',
    '    orderId: order.id,\n    sender: order.sender,',
    '    orderId: new Uint8Array([...order.id].reverse()),\n    sender: order.sender,',
    40,
  ),
  mutant(
    'destroys_a_key_before_what_it_sealed',
    `${SETTLEMENT}/destroy-epochs.ts`,
    'await d.store.clearEpoch(epoch)',
    '',
  ),
  mutant(
    'dates_an_end_before_its_epoch',
    SETTLE_STORE,
    'Math.max(epochOf(order) * EPOCH_MS, endHourOf(',
    'Math.max(0, endHourOf(',
    200,
  ),
  mutant(
    'keeps_the_rent',
    `${SETTLEMENT}/reclaim-rent.ts`,
    'if (hour === doneHour ||',
    'if (true ||',
  ),
  mutant(
    'asks_a_node_behind_whether_a_note_is_settled',
    `${SETTLEMENT}/confirm.ts`,
    'd.chain.readNullifiers(nullifiers, head.slot)',
    'd.chain.readNullifiers(nullifiers, 0n)',
    400,
  ),
  mutant(
    'attempts_what_was_settled_by_its_ticket',
    `${SETTLEMENT}/schedule.ts`,
    'if (settled[0] !== undefined) return',
    "if (settled[0] !== undefined && step === 'begin_refund') return",
    60,
  ),
  mutant(
    'gives_up_what_was_settled_by_its_ticket',
    `${SETTLEMENT}/schedule.ts`,
    'if (settled[0] !== undefined) return',
    "if (settled[0] !== undefined && step !== 'begin_refund') return",
    400,
  ),
  mutant(
    'keeps_leaves_that_could_not_be_recorded',
    `${SETTLEMENT}/follow-chain.ts`,
    'if (!isRecorded && fresh.length > 0) tree.truncate(sizeBefore)',
    '',
    400,
  ),
  mutant(
    'destroys_keys_without_retention',
    `${SETTLEMENT}/destroy-epochs.ts`,
    "end === 'empty' || end + EPOCH_MS + d.retentionMs <= nowMs",
    "end === 'empty' || end + EPOCH_MS <= nowMs",
    40,
  ),
  mutant(
    'takes_orders_with_dry_relayers',
    `${SETTLEMENT}/watch-relayers.ts`,
    'const isLiquid = settlements >= TIMES * expected + HEADROOM',
    'const isLiquid = true',
  ),
  mutant(
    'takes_no_orders_with_full_relayers',
    `${SETTLEMENT}/watch-relayers.ts`,
    'const isLiquid = settlements >= TIMES * expected + HEADROOM',
    'const isLiquid = false',
  ),
  mutant(
    'never_seals_anew',
    `${SETTLEMENT}/destroy-epochs.ts`,
    'await resealStragglers(d, epoch)',
    '',
    60,
  ),
  mutant(
    'seals_anew_without_the_note_key',
    `${SETTLEMENT}/reseal-stragglers.ts`,
    'encodeTerms({ ...terms, noteKey })',
    'encodeTerms(terms)',
    60,
  ),
  mutant(
    'halts_on_one_look',
    `${SETTLEMENT}/reconcile.ts`,
    "verdict !== 'unknown' && !(await isConfirmed(d, verdict))",
    'false',
    100,
  ),
  mutant(
    'dates_an_expiry_by_the_wall_clock',
    `${MEMORY}/record-step.ts`,
    'order.finalHourMs = endHourOf(nowMs, clock)',
    'order.finalHourMs = nowMs - (nowMs % 3_600_000)',
    60,
  ),
]

const SEVERAL_PLACES: readonly Mutant[] = [
  {
    name: 'gives_two_workers_one_lease',
    seedsMax: 40,
    edits: [
      {
        path: SETTLE_STORE,
        find: 'if (isLeaseHeld(side.leaseUntilMs, nowMs, untilMs - nowMs)) return undefined',
        replace: '',
      },
      { path: SETTLE_STORE, find: 'side.leaseFence += 1n', replace: '' },
    ],
  },
  {
    name: 'attempts_twice_at_once',
    seedsMax: 20,
    edits: [
      {
        path: `${SETTLEMENT}/schedule.ts`,
        find: 'attempt === undefined &&',
        replace: '',
      },
      {
        path: SETTLE_STORE,
        find: 'if (liveOf(side) !== undefined) return undefined',
        replace: '',
      },
      {
        path: SETTLE_STORE,
        find: `const { from, to } = STATUSES[kind]
      if (side === undefined || liveOf(side) !== undefined) return false`,
        replace: `const { from, to } = STATUSES[kind]
      if (side === undefined) return false`,
      },
    ],
  },
]

export const MUTANTS: readonly Mutant[] = [...ONE_PLACE, ...SEVERAL_PLACES]
