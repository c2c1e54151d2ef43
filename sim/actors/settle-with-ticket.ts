import {
  amount,
  floorToGrid,
  MerkleTree,
  RECENT,
  settleInputs,
  unixSeconds,
  type SettleRequest,
} from '@sotto/protocol'
import { deliveryTime } from '../../packages/server/src/domain/delivery-schedule.ts'
import { DOMAIN } from '../chain/domain.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { quickProof } from '../chain/quick-proof.ts'
import type { Customer } from './customer.ts'
import type { PlacedOrder } from './placed-order.ts'

const PAUSE_MAX_MS = 30_000
const ATTEMPTS = 120
const LAST_SECONDS = 120n

/**
 * Settles with the ticket and without the service: delivers as soon as the deposit is final, or refunds
 * after the expiry. The service may be doing anything at that moment.
 */
export async function settleWithTicket(customer: Customer, order: PlacedOrder): Promise<void> {
  const { stage, random } = customer
  const patience = random.pick(['none', 'none', 'until the last minutes', 'until the expiry'])
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    await stage.timeline.pause(random.between(1, PAUSE_MAX_MS))
    const { unixSeconds: clock } = stage.chain.newest
    const isRefund = clock > order.note.expiry
    if (patience === 'until the expiry' && !isRefund) continue
    const leftSeconds = order.note.expiry - clock
    if (patience === 'until the last minutes' && leftSeconds > LAST_SECONDS) continue
    const time = isRefund ? floorToGrid(clock) : deliveryTime(clock, order.note.expiry)
    if (time === undefined || (isRefund && time <= order.note.expiry)) continue
    const kind = isRefund ? 'refund' : 'deliver'
    if (submit(customer, order, { kind, time: unixSeconds(time) }) && random.chance(0.5)) return
  }
}

function submit(
  { stage, sender }: Customer,
  { key, note }: PlacedOrder,
  request: SettleRequest,
): boolean {
  const { ledger } = stage.chain
  const { position } = stage.chain.blockAt('finalized')
  const place = ledger.orders.read(key, position)
  if (place === undefined || place === null) return false
  const leaves = ledger.leaves.slice(0, ledger.leavesAt(position))
  const tree = new MerkleTree(quickHash)
  tree.appendAll(leaves.map(({ leaf }) => leaf))
  const where = { leafIndex: BigInt(place.leafIndex), path: tree.path(place.leafIndex) }
  const inputs = settleInputs(quickHash, DOMAIN, note, where, request)
  const isRefund = request.kind === 'refund'
  const payee = isRefund || note.claim.kind !== 'transfer' ? note.sender : note.claim.recipient
  const settlement = {
    ...{ isRefund, payee, time: request.time },
    root: { kind: 'recent', index: (leaves.length - 1) % RECENT } as const,
    nullifier: inputs.nullifier,
    payout: amount(inputs.payout),
    fee: amount(inputs.fee),
    changeLeaf: inputs.changeLeaf,
    proof: quickProof(inputs),
  }
  const message = { kind: 'settle', mint: note.mint, settlement, opensAccount: true } as const
  const base = stage.chain.blockAt('confirmed')
  stage.chain.mempool.add(stage.signatures.sign(sender, message, base))
  return true
}
