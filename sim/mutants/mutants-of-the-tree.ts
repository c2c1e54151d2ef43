import { MEMORY, mutant, SETTLEMENT, type Mutant } from './mutant.ts'

const WITNESS = 'packages/protocol/src/notes/settle-witness.ts'

/** Bugs in following the tree, and in the payout and change of settlements. */
export const OF_THE_TREE: readonly Mutant[] = [
  mutant('settles_without_the_fee', `${SETTLEMENT}/pay/prove.ts`, 'fee: inputs.fee,', 'fee: 0n,'),
  mutant(
    'keeps_a_fee_of_refunds',
    WITNESS,
    'payout: value, fee: NOTHING',
    'payout: value - 1n, fee: 1n',
    40,
  ),
  mutant(
    'leaves_another_change_than_it_proves',
    `${SETTLEMENT}/pay/prove.ts`,
    'const { nullifier, changeLeaf } = inputs',
    'const { nullifier, assetHash: changeLeaf } = inputs',
  ),
  mutant(
    'takes_an_unpaid_order_for_deposited',
    `${MEMORY}/memory-follow-store.ts`,
    'return leafIndex === undefined ? [] : [{ ...awaitingOf(order), leafIndex }]',
    'return [{ ...awaitingOf(order), leafIndex: leafIndex ?? 0 }]',
    40,
  ),
  mutant(
    'expires_orders_although_the_root_differs',
    `${SETTLEMENT}/follow/follow-chain.ts`,
    'if (isTaken) return record(d, tree, { cursor, head, keep: known, fresh, isRescan: false })',
    `if (isTaken) return record(d, tree, { cursor, head, keep: known, fresh, isRescan: false })
    await d.store.tryRecord({ from: cursor.nextLeaf, head, keep: known, isRescan: false, leaves: [],
      deposits: [] }, d.clock.nowMs())`,
    400,
  ),
  mutant(
    'believes_a_head_from_the_future',
    `${SETTLEMENT}/follow/believable-head.ts`,
    'if (isNear) return head',
    'return head',
    // Three of the first 800 seeds find this bug: 394, 507 and 567.
    800,
  ),
  mutant(
    'accepts_published_leaves_unverified',
    `${SETTLEMENT}/follow/catch-up.ts`,
    'if (tree.check(roots)) return true\n    tree.truncate(keep)',
    'if (tree.check(roots) || true) return true\n    tree.truncate(keep)',
    400,
  ),
  mutant(
    'forgets_what_settlements_append',
    `${SETTLEMENT}/follow/appended-leaf.ts`,
    'appended.map((one) =>',
    "appended.filter(({ kind }) => kind === 'deposit').map((one) =>",
    400,
  ),
  mutant(
    'proves_against_an_hour_that_is_not_over',
    `${SETTLEMENT}/follow/checkpoint-roots.ts`,
    'hour < thisHour; hour += 1',
    'hour <= thisHour; hour += 1',
    400,
  ),
  mutant(
    'names_a_wrong_checkpoint',
    `${SETTLEMENT}/follow/checkpoint-roots.ts`,
    'index: found.hour % CHECKPOINTS',
    'index: (found.hour + 1) % CHECKPOINTS',
    400,
  ),
]
