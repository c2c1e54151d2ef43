import { decodeTicket } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import { setTimeout as sleep } from 'node:timers/promises'
import { hexOf, type LedgerEntry, type Stated } from '../load/ledger.ts'
import type { PlannedTransfer } from '../load/plan.ts'
import type { LocalRun } from './local-run.ts'
import { whenAvailable } from './when-available.ts'

/** Marks the work during which the clock may be moved ahead. */
export interface Progress {
  readonly idle: <Result>(isPatient: boolean, work: () => Promise<Result>) => Promise<Result>
}

const POLL_MS = 150
const MISSED_SECONDS = 600n

/**
 * Quotes, orders, signs and follows one transfer. Returns the link between its deposit and its settlement; no link if
 * the transfer was refunded because its crowd didn't come.
 *
 * @throws Error if a transfer isn't delivered for any other reason.
 */
export async function sendTransfer(
  run: LocalRun,
  progress: Progress,
  step: PlannedTransfer,
): Promise<LedgerEntry> {
  const { client, chain, people, mintOf } = run
  const sender = await people.wallet(step.wallet)
  const partner =
    step.partnerBps > 0 ? { feeBps: step.partnerBps, feeRecipientAddress: run.partner } : {}
  const parties = {
    senderAddress: sender.address,
    recipientAddress: await people.payee(step.payee),
    ...partner,
  }
  const request = {
    ...parties,
    amount: `${step.amount}`,
    sourceAssetId: mintOf(step.source),
    destinationAssetId: mintOf(step.destination),
    ...(step.isExactOut ? { mode: 'exact_out' as const } : {}),
    ...(step.crowd === undefined
      ? {}
      : { minCrowd: step.crowd.min, crowdMissed: step.crowd.missed }),
    ...step.delays,
  }
  const { privacy, linkProbability, recipientPaidBefore, order } = await whenAvailable(async () => {
    const quoted = await client.quote(request)
    return { ...quoted, order: await client.createOrder({ quote: quoted.quote, ...parties }) }
  })
  const { wire, signature } = await chain.sign(order.transaction, sender)
  await chain.submit(wire)
  if (await chain.confirm(signature)) throw new Error("the transfer's deposit failed on chain")
  const isPatient = step.way !== 'transfer'
  const settlement = await followDelivery(run, progress, order.trackingId, isPatient)
  const { orderId: bytes, note } = decodeTicket(order.recovery)
  const orderId = hexOf(bytes)
  const min = step.crowd?.min ?? 0
  if (settlement === undefined) {
    if (step.crowd?.missed !== 'refund') throw new Error('the transfer was refunded')
    return { crowd: { orderId, min, outcome: 'refunded' } }
  }
  // A transfer that is delivered without its crowd is delivered in the ten minutes before its expiry.
  const isMissed =
    step.crowd !== undefined &&
    BigInt(Math.floor(run.clock.nowMs() / 1_000)) >= note.expiry - MISSED_SECONDS
  const way = isMissed ? 'missed' : step.way
  const stated = {
    ...statedBy(privacy, linkProbability),
    isPaidBefore: recipientPaidBefore === true,
  }
  const link = { settlement, orderId, way, amountKind: step.amountKind, stated } as const
  if (step.crowd === undefined) return { link }
  return { link, crowd: { orderId, min, outcome: isMissed ? 'delivered' : 'came' } }
}

function statedBy(
  { anonymitySet }: QuoteResponse['privacy'],
  linkProbability: string | undefined,
): Stated {
  if (linkProbability === undefined) throw new Error('a quote states no chance of a link')
  return { anonymitySet, linkProbability: Number(linkProbability) }
}

/**
 * Follows a delivery and returns its signature; undefined if the transfer was refunded. The clock may be moved ahead
 * while the service waits. It must not be moved while the service proves and sends.
 */
async function followDelivery(
  { client }: LocalRun,
  progress: Progress,
  trackingId: string,
  isPatient: boolean,
): Promise<string | undefined> {
  for (;;) {
    const status = await client.status(trackingId)
    if (status.status === 'delivered') {
      if (status.delivery?.signature) return status.delivery.signature
      throw new Error('the delivery has no signature')
    }
    if (status.status === 'refunded') return undefined
    if (status.final) throw new Error(`the transfer ended as ${status.status}`)
    const wait = async (): Promise<void> => void (await sleep(POLL_MS))
    if (status.status === 'deposited') await progress.idle(isPatient, wait)
    else await wait()
  }
}
