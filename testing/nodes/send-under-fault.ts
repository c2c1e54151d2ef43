import { NATIVE_MINT } from '@sotto/protocol'
import { generateKeyPairSigner, type Address } from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order, Quote, Status } from '../../demo/src/service-api.ts'
import { FRUGAL } from '../../demo/src/sizes.ts'
import type { ServiceClient } from '../soak/service-client.ts'
import type { KnownFault } from './known-faults.ts'
import type { Ground } from './open-ground.ts'
import { alertsOf, triesOf } from './read-metrics.ts'

const POLL_MS = 100
/** A transfer that takes longer than this has failed. */
const PATIENCE_MS = 170_000

interface Placed {
  readonly order: Order
  readonly quote: Quote
  readonly recipient: Address
  readonly pay: () => Promise<void>
}

/** Orders a transfer from one new wallet to another. The returned `pay` makes the deposit. */
async function place({ chain, treasury }: Ground, client: ServiceClient): Promise<Placed> {
  const [sender, recipient] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  await treasury.fund(sender.address, FRUGAL.solHeld)
  const both = { senderAddress: sender.address, recipientAddress: recipient.address }
  const assets = { sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT }
  const asked = { amount: String(FRUGAL.solSent), ...assets, ...both }
  const { quote } = await client.call<{ quote: Quote }>('POST', '/quote', asked)
  const key = { 'X-Idempotency-Key': randomUUID() }
  const body = { quote, ...both }
  const { order } = await client.call<{ order: Order }>('POST', '/order', body, key)
  const pay = async () => {
    const { wire, signature } = await chain.sign(order.transaction, sender)
    await chain.submit(wire)
    if (await chain.confirm(signature)) throw new Error('a deposit failed on chain')
  }
  return { order, quote, recipient: recipient.address, pay }
}

async function ended(client: ServiceClient, { order }: Placed): Promise<Status> {
  const started = performance.now()
  for (;;) {
    const path = `/status/${order.trackingId}`
    const { order: status } = await client.call<{ order: Status }>('GET', path)
    if (status.final || performance.now() - started > PATIENCE_MS) return status
    await sleep(POLL_MS)
  }
}

/** The outcome of two transfers while a node had a fault. */
export interface Outcome {
  /** Time from the start of the fault to the later of the two deliveries. */
  readonly seconds: number
  /** Number of requests that the fault affected. */
  readonly misdeeds: number
  readonly statuses: readonly string[]
  /** The amounts that the recipients received, in base units. `owed` has the amounts that they should have received. */
  readonly paid: readonly bigint[]
  readonly owed: readonly bigint[]
  /** Number of deliveries whose status contains a signature. */
  readonly signatures: number
  /**
   * Requests to the first node during the fault: `failed` counts the requests that failed, and `lacking` counts the
   * requests that the node couldn't serve.
   */
  readonly tries: { readonly failed: number; readonly lacking: number }
  /** The codes of the alerts that were raised. */
  readonly alerts: readonly string[]
}

/**
 * Starts a service with `serve`, and makes two transfers while the first node has a fault. The first transfer is
 * ordered before the fault begins, or during a fault that exists from the start. The second transfer is quoted and
 * ordered during the fault.
 */
export async function sendUnder(
  ground: Ground,
  serve: () => Promise<ServiceClient>,
  fault: Pick<KnownFault, 'faults' | 'seconds' | 'isFromStart'>,
): Promise<Outcome> {
  const [node] = ground.nodes
  const misdeeds = node.misdeeds()
  if (fault.isFromStart === true) node.suffer(...fault.faults)
  const client = await serve()
  const before = await place(ground, client)
  // A new service's counters start at 0.
  const metrics = fault.isFromStart === true ? '' : await ground.metrics()
  node.suffer(...fault.faults)
  const { seconds } = fault
  const started = performance.now()
  const passing = new AbortController()
  const passes =
    seconds === undefined ? Promise.resolve() : sleep(seconds * 1_000, undefined, passing)
  const passed = passes.then(() => {
    if (seconds !== undefined) node.suffer()
  })
  try {
    await before.pay()
    const during = await place(ground, client)
    await during.pay()
    const placed = [before, during]
    const statuses = await Promise.all(placed.map((one) => ended(client, one)))
    const took = (performance.now() - started) / 1_000
    await passed
    const now = await ground.metrics()
    const paid = placed.map(({ recipient }) => ground.chain.balance(recipient, NATIVE_MINT))
    return {
      ...{ seconds: took, misdeeds: node.misdeeds() - misdeeds },
      statuses: statuses.map(({ status }) => status),
      paid: await Promise.all(paid),
      owed: placed.map(({ quote }) => BigInt(quote.amountOut)),
      signatures: statuses.filter(({ delivery }) => delivery?.signature !== undefined).length,
      tries: {
        failed: triesOf(now, 'failed') - triesOf(metrics, 'failed'),
        lacking: triesOf(now, 'lacking') - triesOf(metrics, 'lacking'),
      },
      alerts: alertsOf(metrics, now),
    }
  } finally {
    passing.abort()
    await passed.catch(() => undefined)
    node.suffer()
  }
}

/** The required outcome for a fault, in the form of the result of `shownBy`. */
export const expectedOf = ({ shown }: KnownFault, { owed }: Outcome) => ({
  statuses: owed.map(() => 'delivered'),
  paid: owed,
  isSuffered: true,
  tries: shown.tries,
  alerts: shown.alerts ?? [],
})

/** The part of an outcome that is the same in every run. */
export const shownBy = ({ statuses, paid, misdeeds, tries, alerts }: Outcome) => ({
  ...{ statuses, paid, alerts, isSuffered: misdeeds > 0 },
  tries: tries.failed > 0 ? 'failed' : tries.lacking > 0 ? 'lacking' : undefined,
})
