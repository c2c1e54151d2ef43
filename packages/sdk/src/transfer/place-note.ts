import { closesAt, readDeposit } from './read-deposit.ts'
import type { TransferContext } from './transfer-context.ts'
import type { Deposited, Done } from './transfer-state.ts'

/**
 * Finds out whether the deposit landed. This is needed if the deposit was not seen before its Order account could be
 * closed. The tree shows it: if the tree doesn't contain the note, nothing was paid. Without `findNote`, the state
 * stays as it is.
 */
export async function placeNote(
  context: TransferContext,
  state: Deposited,
): Promise<Deposited | Done> {
  const { findNote } = context
  if (state.leafIndex !== null || findNote === undefined) return state
  const { request, order } = state
  const { clock, deposit } = await readDeposit(context, state, 'finalized')
  if (deposit.kind === 'paid') return { ...state, leafIndex: `${deposit.leafIndex}` }
  if (clock < closesAt(order)) return state
  const leafIndex = await findNote(order.recovery)
  if (leafIndex !== undefined) return { ...state, leafIndex: `${leafIndex}` }
  const { trackingId } = order
  return { step: 'done', request, result: { outcome: 'expired', trackingId, status: null } }
}
