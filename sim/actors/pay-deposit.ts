import { parseWhole } from '@sotto/protocol'
import { BLOCK_MS, BLOCKHASH_BLOCKS } from '../chain/fake-chain.ts'
import type { Client } from './client.ts'
import { huntOption } from './hunt-option.ts'
import type { PlacedOrder } from './placed-order.ts'

const RESEND_MS = 10_000
const SENDS = Math.ceil((BLOCKHASH_BLOCKS * BLOCK_MS) / RESEND_MS)
const REFRESHES = 12

/** Signs and submits the deposit, if the customer's behaviour includes paying. */
export async function payDeposit(customer: Client, order: PlacedOrder): Promise<void> {
  const { stage, random, manner } = customer
  switch (manner) {
    case 'abandons':
      return
    case 'late':
      await stage.timeline.pause(leftMs(customer, order) + random.between(-60, 30) * 1_000)
      return payRefreshed(customer, order, 1)
    case 'refreshes':
      // The customer submits the first transaction and immediately requests refreshed transactions. At most one of the
      // order's transactions can land.
      submit(customer, order.transaction)
      return payRefreshed(customer, order, REFRESHES)
    case 'hunts_option': {
      const found = await huntOption(customer, order)
      if (found !== undefined) await sendUntilDead(customer, order, found)
      return
    }
    case 'honest':
    case 'retries':
    case 'holds_ticket':
      await stage.timeline.pause(random.below(20_000))
      if (await sendUntilDead(customer, order, order.transaction)) return
      return payRefreshed(customer, order, REFRESHES)
  }
}

/** The time until the order's deadline by the chain's clock, in milliseconds; at least a minute. */
function leftMs({ stage }: Client, { note }: PlacedOrder): number {
  return Math.max(
    60_000,
    parseWhole(`${(note.deadline - stage.chain.newest.unixSeconds) * 1_000n}`),
  )
}

function submit(customer: Client, transaction: string): void {
  const { chain, signatures } = customer.stage
  chain.mempool.add(signatures.read(transaction))
}

export const isPaid = ({ stage }: Client, { key }: PlacedOrder): boolean =>
  stage.chain.ledger.orders.read(key, Infinity) !== undefined

/**
 * Sends a transaction repeatedly, as wallets do, until the order's deposit is on the chain or the transaction can't
 * land any more. Returns true if the order's deposit is on the chain.
 */
async function sendUntilDead(
  customer: Client,
  order: PlacedOrder,
  transaction: string,
): Promise<boolean> {
  const { stage, api, random } = customer
  for (let sends = 0; sends < SENDS && !isPaid(customer, order); sends += 1) {
    submit(customer, transaction)
    if (random.chance(0.2)) api.hint(order.trackingId).catch(() => undefined)
    await stage.timeline.pause(RESEND_MS)
  }
  return isPaid(customer, order)
}

async function payRefreshed(
  customer: Client,
  order: PlacedOrder,
  refreshes: number,
): Promise<void> {
  const { stage, api, random } = customer
  for (let tries = 0; tries < refreshes; tries += 1) {
    const refreshed = await api.refresh(order.trackingId).catch(() => undefined)
    const transaction = refreshed?.order.transaction
    if (transaction !== undefined && (await sendUntilDead(customer, order, transaction))) return
    if (isPaid(customer, order)) return
    await stage.timeline.pause(random.between(5_000, 40_000))
  }
}
