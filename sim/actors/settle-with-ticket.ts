import { amount, floorToGrid, MerkleTree, settleInputs } from '@sotto/protocol'
import { deliveryTime } from '../../packages/server/src/domain/delivery-schedule.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { quickProof } from '../chain/quick-proof.ts'
import type { Customer } from './customer.ts'
import type { PlacedOrder } from './placed-order.ts'

const LOOK_MS = 30_000
const LOOKS = 120
const LAST_SECONDS = 120n

/**
 * Delivers from the ticket without the service, as soon as the deposit is final, or refunds after the expiry,
 * whatever the service is doing at that moment.
 */
export async function settleWithTicket(customer: Customer, order: PlacedOrder): Promise<void> {
  const { stage, random } = customer
  const patience = random.pick(['none', 'none', 'until the last minutes', 'until the expiry'])
  for (let looks = 0; looks < LOOKS; looks += 1) {
    await stage.timeline.pause(random.between(1, LOOK_MS))
    const { unixSeconds } = stage.chain.newest
    const isRefund = unixSeconds > order.note.expiry
    if (patience === 'until the expiry' && !isRefund) continue
    const leftSeconds = order.note.expiry - unixSeconds
    if (patience === 'until the last minutes' && leftSeconds > LAST_SECONDS) continue
    const time = isRefund ? floorToGrid(unixSeconds) : deliveryTime(unixSeconds, order.note.expiry)
    if (time === undefined || (isRefund && time <= order.note.expiry)) continue
    if (submit(customer, order, { isRefund, time }) && random.chance(0.5)) return
  }
}

function submit(
  { stage, sender }: Customer,
  { key, note }: PlacedOrder,
  settle: Parameters<typeof settleInputs>[3],
): boolean {
  const { ledger } = stage.chain
  const { position } = stage.chain.blockAt('finalized')
  const place = ledger.orders.read(key, position)
  if (place === undefined || place === null) return false
  const leaves = ledger.leaves.slice(0, ledger.leavesAt(position))
  const tree = new MerkleTree(quickHash)
  tree.appendAll(leaves.map(({ leaf }) => leaf))
  const where = { leafIndex: BigInt(place.leafIndex), path: tree.path(place.leafIndex) }
  const inputs = settleInputs(quickHash, note, where, settle)
  const settlement = {
    ...settle,
    root: { kind: 'recent', index: leaves.length - 1 } as const,
    nullifier: inputs.nullifier,
    amount: note.amountOut,
    feeBack: amount(inputs.feeBack),
    payee: settle.isRefund ? note.sender : note.recipient,
    proof: quickProof(inputs),
  }
  const message = { kind: 'settle', mint: note.mint, settlement, opensAccount: true } as const
  const base = stage.chain.blockAt('confirmed')
  stage.chain.mempool.add(stage.signatures.sign(sender, message, base))
  return true
}
