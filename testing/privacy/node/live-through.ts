import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { decodeHistory } from '../../../observe/chain/decode-transaction.ts'
import type { Sightings } from '../../../observe/chain/sightings.ts'
import { drawPlan } from '../../../observe/load/draw-plan.ts'
import { DEFAULT_MIX, type Mix } from '../../../observe/load/mix.ts'
import { MEANT } from '../../../observe/script/behaviour.ts'
import { drawEvents } from '../../../observe/script/draw-events.ts'
import { encodeEvents } from '../../../observe/script/encode-events.ts'
import {
  Recipients,
  type RecipientReads,
} from '../../../packages/server/src/adapters/chain/recipients/recipients.ts'
import { createChain } from '../../../packages/server/src/adapters/chain/transfer/create-chain.ts'
import { withHeadCache } from '../../../packages/server/src/adapters/chain/transfer/head-cache.ts'
import { withRecipientCache } from '../../../packages/server/src/adapters/chain/transfer/recipient-cache.ts'
import { readAccounts } from '../../../packages/server/src/adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../../packages/server/src/adapters/rpc/rpc-client.ts'
import type { Clock } from '../../../packages/server/src/ports/clock.ts'
import { SeededRandom } from '../../../sim/time/seeded-random.ts'
import { WatchingNode } from './watching-node.ts'

/** The true facts about one transfer. */
export interface TrueTransfer {
  /** The index of the transfer's deposit in the sightings; `settlement` is the index of its settlement. */
  readonly deposit: number
  readonly settlement: number
  readonly payee: Address
  readonly quotedSeconds: number
  /** The time that the deposit's blockhash reveals. */
  readonly orderedSeconds: number
  /**
   * Whether the pool paid the payee before the quote. `seen` means that the service had read that payment before the
   * quote. `just now` means that the service hadn't read it yet.
   */
  readonly paidBefore: 'never' | 'just now' | 'seen'
}

export interface LivedTransfers {
  readonly sightings: Sightings
  readonly transfers: readonly TrueTransfer[]
  readonly node: WatchingNode
  /**
   * The node that the service uses for recipients. If the service has no separate node for recipients, this is `node`.
   */
  readonly recipientNode: WatchingNode
  readonly recipients: Recipients
}

/** The way in which the service reads the accounts of recipients. */
export type Protection = 'own nodes' | 'decoys' | 'none'

/** The payees: a new payee for each transfer, or always the same few payees. */
export type Payees = 'many' | 'regular'

/**
 * One transfer every 11 seconds, with a delay of up to an hour. With so many transfers, the chain alone doesn't reveal
 * the payee.
 */
const MIX: Mix = {
  ...DEFAULT_MIX,
  ...{ perHour: 327, exactOut: 100, partners: 0, returning: 60, knownPayees: 0 },
  amounts: { round: 100, odd: 0, swap: 0 },
  ways: { transfer: 0, patient: 100, balance: 0, fresh: 0, waiting: 0, crowd: 0 },
  assets: { SOL: 100, USDC: 0 },
  balances: { ...DEFAULT_MIX.balances, atFirst: 0 },
}
const BEGIN_SECONDS = 1_700_000_400
/** An hour in which the service sees transactions of strangers and gets no request for a quote. */
const IDLE_SECONDS = 3_600
const REFRESH_SECONDS = 10
const LEARN_SECONDS = 60
/** Seconds from a quote to its order, and from the read of the payee's accounts to the settlement. */
const [QUOTE_LEAD, PAYEE_LEAD] = [2, 1]
/** Seconds after which the service has certainly read a settlement. */
const SEEN_SECONDS = LEARN_SECONDS + REFRESH_SECONDS

/** Reads a single recipient in one request, as earlier versions of the service did. */
const alone = (rpc: ChainRpc): RecipientReads => {
  const read = async (_mint: Address, wallet: Address) => {
    const { accounts } = await readAccounts(rpc, [wallet], { commitment: 'confirmed' })
    return { own: accounts[0], token: undefined, tokenProgram: undefined }
  }
  return { known: async () => undefined, read, readPartner: read }
}

interface Step {
  readonly seconds: number
  readonly run: () => Promise<unknown>
}

/** Number of payees for the choice `regular`. */
const REGULAR = 20

/** Runs transfers from their quotes to their payments. The service's own code reads the chain. */
export async function liveThrough(
  protection: Protection,
  {
    payments,
    payees,
    seed,
  }: { readonly payments: number; readonly payees: Payees; readonly seed: string },
): Promise<LivedTransfers> {
  const random = new SeededRandom(seed)
  const drawn = drawPlan(MIX, payments, random.stream('plan'))
  const planned = drawn.steps.map((one) =>
    one.kind === 'transfer' && payees === 'regular' ? { ...one, payee: one.payee % REGULAR } : one,
  )
  const plan = { ...drawn, steps: planned }
  const events = drawEvents(plan, MEANT, BEGIN_SECONDS, random.stream('events'))
  const script = await encodeEvents(events, MEANT, random.stream('bytes'))
  const history = script.records.map(({ signature, seconds, transaction }) => {
    return { signature, seconds, record: transaction as never }
  })
  const sightings = decodeHistory(script.program, history, script.untilSeconds)
  const openNode = (name: string) =>
    new WatchingNode(script, BEGIN_SECONDS - IDLE_SECONDS, random.stream(name)).open()
  const node = await openNode('node')
  const recipientNode = protection === 'own nodes' ? await openNode('recipient node') : node
  const clock: Clock = { nowMs: () => node.nowSeconds * 1_000, sleep: async () => undefined }
  const recipients = new Recipients({
    ...{ rpc: node.rpc, program: script.program, clock, random: random.stream('recipients') },
    recipientRpc: protection === 'own nodes' ? recipientNode.rpc : undefined,
  })
  const reads = protection === 'none' ? alone(node.rpc) : recipients
  const at = { rpc: node.rpc, program: script.program, recipients: reads }
  const chain = withRecipientCache(createChain({ ...at }), clock)
  const ordering = withHeadCache(chain, clock)

  const transfers: TrueTransfer[] = []
  const steps: Step[] = []
  const deposits = events.filter(({ is }) => is === 'deposit')
  const settlements = events.filter((event) => event.is === 'settlement')
  for (const [index, { deposit, seconds }] of settlements.entries()) {
    const payee = sightings.settlements[index]?.payee
    if (payee === undefined) throw new Error('a settlement is missing')
    for (const one of [node, recipientNode]) one.addPayee(payee)
    const orderedSeconds = deposit.madeSeconds
    const quotedSeconds = orderedSeconds - QUOTE_LEAD
    const paidSeconds =
      sightings.settlements.find((one) => one.payee === payee)?.seconds ?? Infinity
    const paidBefore =
      paidSeconds < quotedSeconds - SEEN_SECONDS
        ? 'seen'
        : paidSeconds < quotedSeconds
          ? 'just now'
          : 'never'
    const place = { deposit: deposits.indexOf(deposit), settlement: index }
    transfers.push({ ...place, payee, quotedSeconds, orderedSeconds, paidBefore })
    const quote = async () => chain.readRecipient(NATIVE_MINT, payee, 'a partner')
    steps.push({ seconds: quotedSeconds, run: quote })
    steps.push({ seconds: orderedSeconds, run: () => ordering.readHead() })
    steps.push({ seconds: seconds - PAYEE_LEAD, run: () => reads.read(NATIVE_MINT, payee) })
  }
  if (protection !== 'none') steps.push(...upkeep(recipients, script.untilSeconds))
  for (const { seconds, run } of steps.sort((one, other) => one.seconds - other.seconds)) {
    node.nowSeconds = seconds
    recipientNode.nowSeconds = seconds
    await run()
  }
  return { sightings, transfers, node, recipientNode, recipients }
}

/** The requests that the service sends at fixed intervals, even in the idle hour. */
function upkeep(recipients: Recipients, untilSeconds: number): Step[] {
  const steps: Step[] = []
  const from = BEGIN_SECONDS - IDLE_SECONDS
  for (let seconds = from; seconds < untilSeconds; seconds += REFRESH_SECONDS) {
    if ((seconds - from) % LEARN_SECONDS === 0)
      steps.push({ seconds, run: () => recipients.learn(new AbortController().signal) })
    steps.push({ seconds, run: () => recipients.refresh() })
  }
  return steps
}
