import { randomId } from '../host/host.ts'
import type { BalancePayer } from './balance-payer.ts'
import type { PaidPayment } from './balance-state.ts'
import { ListRun } from './list-run.ts'
import { assertPayable } from './pay.ts'
import { assertListId, keyOfLine } from './payment-keys.ts'
import { assertComplete, membersOf, type ListProgress, type PaymentList } from './payment-list.ts'

/**
 * Pays a list from several balances at the same time. Each line is recorded in the store of the balance that pays it,
 * so that no other balance pays the same line. Each store also records the ids of all balances of the list.
 */
export async function payFromSeveral(
  payers: readonly BalancePayer[],
  list: PaymentList,
  onPaid: (progress: ListProgress) => void,
): Promise<PaidPayment[]> {
  const byId = distinct(payers)
  // Wait for the turn of each balance, in the order of their ids. Otherwise two lists that share balances could wait
  // for each other forever.
  const sorted = [...byId].sort(([one], [other]) => (one < other ? -1 : 1))
  return inTurnOfAll(
    sorted.map(([, payer]) => payer),
    async () => {
      assertList(payers, list)
      assertComplete(
        payers.map(({ record }) => record),
        new Set(byId.keys()),
        list.id,
      )
      await bind(byId, list.id)
      return new ListRun(payers, list, onPaid).run()
    },
  )
}

/**
 * Returns the balances by id. The id of a balance is the id of the order that opened it.
 *
 * @throws RangeError for balances that can't share a list.
 */
function distinct(payers: readonly BalancePayer[]): ReadonlyMap<string, BalancePayer> {
  const byId = new Map<string, BalancePayer>()
  const assets = new Set<string>()
  for (const payer of payers) {
    const { orderId, program, note } = payer.record.ticket
    byId.set(Array.from(orderId, (byte) => byte.toString(16).padStart(2, '0')).join(''), payer)
    assets.add(`${program} ${note.mint}`)
  }
  if (payers.length === 0) throw new RangeError('name at least one balance')
  if (byId.size < payers.length) throw new RangeError('a balance is named twice')
  if (assets.size > 1) throw new RangeError('the balances hold different assets')
  return byId
}

function inTurnOfAll<Result>(
  [first, ...others]: readonly BalancePayer[],
  work: () => Promise<Result>,
): Promise<Result> {
  return first === undefined ? work() : first.inTurn(() => inTurnOfAll(others, work))
}

/** @throws RangeError for a line that can't be a payment; BalanceError KEY_REUSED if a line has changed. */
function assertList(payers: readonly BalancePayer[], { id, lines }: PaymentList): void {
  assertListId(id)
  for (const [line, request] of lines.entries()) {
    for (const { record } of payers) assertPayable(record, keyOfLine(id, line), request)
  }
}

/**
 * Writes the ids of the list's balances into every store before any balance pays. After this write, a process that
 * opened one of the stores earlier can't write to that store any more. Otherwise both processes could pay the same
 * line.
 */
async function bind(byId: ReadonlyMap<string, BalancePayer>, id: string): Promise<void> {
  for (const { record } of byId.values()) {
    const members = new Set([...membersOf(record, id), ...byId.keys()])
    const lists = { ...record.state.lists, [id]: [...members] }
    await record.save({ lists, run: randomId() })
  }
}

/** @throws BalanceError BALANCE_MISSING if other balances may have paid lines of the list. */
export function assertOwnList(payer: BalancePayer, id: string): void {
  assertComplete([payer.record], new Set(distinct([payer]).keys()), id)
}
