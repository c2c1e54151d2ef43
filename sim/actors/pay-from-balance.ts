import { amount, deliveryTimeAt, unixSeconds } from '@sotto/protocol'
import type { SpentNote } from '../chain/spent-notes.ts'
import type { BalanceOwner } from './balance-owner.ts'
import {
  handIn,
  orderPayment,
  signatureBody,
  type OrderedPayment,
  type PayingService,
  type WantedPayment,
} from './payment-client.ts'
import { pollPayment } from './poll-payment.ts'
import { secondsOf } from './seconds-of.ts'
import { submitSettlement } from './submit-settlement.ts'

/** The ways in which an owner makes a payment. */
const WAYS = [
  'plainly',
  'plainly',
  'plainly',
  'late',
  'twice',
  'wrongly',
  'unsigned',
  'two orders at once',
  'with another service too',
  'alone',
  'alone too',
] as const

const POLL_MS = 120_000
const GRID_SECONDS = 600n
/** The fee of a payment that an owner makes without the service. The program allows any fee. */
const OWN_FEE = 1_000n

/** Makes one payment out of a note, in one of the ways above. If `isLast`, the payment takes the note's whole value. */
export async function payOnce(
  owner: BalanceOwner,
  note: SpentNote,
  isLast: boolean,
): Promise<void> {
  const { random, stage, rival, api } = owner
  const service: PayingService = { payer: 'service', api }
  const other: PayingService = rival === undefined ? service : { payer: 'rival', api: rival }
  const wanted = draw(owner, note, isLast)
  // A veteran mostly pays in the way `plainly`, so that many of its payments complete at about the time when its key is
  // replaced.
  const isPlain = owner.isVeteran && random.chance(0.8)
  const way = isPlain ? 'plainly' : random.pick(WAYS)
  stage.trace.add(stage.timeline.nowMs, owner.name, `pays ${way}`)
  switch (way) {
    case 'plainly':
    case 'late':
    case 'twice':
    case 'wrongly':
    case 'unsigned': {
      const payment = await orderPayment(owner, service, wanted)
      if (payment !== undefined) await finish(owner, wanted, payment, way)
      return
    }
    case 'two orders at once':
      return payTwice(owner, [service, service], [wanted, drawOther(owner, wanted)])
    case 'with another service too':
      return payTwice(owner, [service, other], [wanted, drawOther(owner, wanted)])
    case 'alone':
      return payAlone(owner, wanted)
    case 'alone too': {
      const payment = await orderPayment(owner, service, wanted)
      if (payment === undefined) return payAlone(owner, wanted)
      // A payment of the same amount to a different payee leaves the same change.
      const own = random.chance(0.5)
        ? { ...draw(owner, note, isLast), gross: wanted.gross }
        : wanted
      const fee = random.chance(0.5) ? payment.fee : OWN_FEE
      await Promise.all([
        finish(owner, wanted, payment, 'unsure'),
        stage.timeline.pause(random.below(30_000)).then(() => payAlone(owner, own, fee)),
      ])
    }
  }
}

/** Draws a payee and an amount: from an eighth to a half of the note's value, or the whole value if `isLast`. */
function draw(
  { random, payees }: BalanceOwner,
  note: SpentNote,
  isLast: boolean,
  others = payees,
): WantedPayment {
  const { value } = note.note
  const part = (value * BigInt(random.between(125, 500))) / 1_000n
  return { note, payee: random.pick(others), gross: isLast ? value : part }
}

/**
 * Draws a second payment out of the same note, to a different payee. If two services made equal payments, each service
 * would take the other's payment for its own.
 */
function drawOther(owner: BalanceOwner, { note, payee }: WantedPayment): WantedPayment {
  return draw(
    owner,
    note,
    false,
    owner.payees.filter((one) => one !== payee),
  )
}

/**
 * Orders two payments out of one note. A single service may accept only one of them. Two services may accept one
 * payment each, but only one of these payments may land.
 */
async function payTwice(
  owner: BalanceOwner,
  services: readonly [PayingService, PayingService],
  wanted: readonly [WantedPayment, WantedPayment],
): Promise<void> {
  const { stage, random } = owner
  const pair = [0, 1] as const
  const startedMs = stage.timeline.nowMs
  const payments = await Promise.all(
    pair.map((place) => orderPayment(owner, services[place], wanted[place])),
  )
  const [one, two] = payments
  const isOneService = services[0].api === services[1].api
  const areLive = one !== undefined && two !== undefined && isSameTime(one, two)
  if (isOneService && areLive && !hasFreed(owner, one, two)) {
    stage.watch.fail('each note has only one live payment', `${owner.name} since ${startedMs}`)
  }
  await Promise.all(
    pair.map(async (place) => {
      const payment = payments[place]
      if (payment === undefined) return
      await stage.timeline.pause(random.below(20_000))
      await finish(owner, wanted[place], payment, 'unsure')
    }),
  )
}

/** True for two different payments that end at the same time. The service may have accepted both at the same moment. */
const isSameTime = (one: OrderedPayment, two: OrderedPayment): boolean =>
  one.key !== two.key && one.validUntil === two.validUntil

/** True if the payment with the earlier end may have ended before the owner ordered the other payment. */
function hasFreed({ stage }: BalanceOwner, one: OrderedPayment, two: OrderedPayment): boolean {
  const least = one.validUntil < two.validUntil ? one.validUntil : two.validUntil
  return stage.chain.newest.unixSeconds > least
}

type Way = 'plainly' | 'late' | 'twice' | 'wrongly' | 'unsigned' | 'unsure'

/**
 * Signs an ordered payment and sends the signature, in the given way. Meanwhile, a loop in `owner.polls` polls the
 * payment's status until the payment has ended.
 */
async function finish(
  owner: BalanceOwner,
  { note }: WantedPayment,
  payment: OrderedPayment,
  way: Way,
): Promise<void> {
  const { stage, random, name } = owner
  owner.polls.push(pollPayment(owner, payment))
  if (way === 'unsigned') return
  if (way === 'late') await stage.timeline.pause(lateMs(owner, payment))
  const { payment: signed, signature } = owner.sign(note, payment)
  const body = signatureBody(signed.changeNk, signature)
  if (way === 'wrongly') {
    const { S } = signature
    const wrong = random.pick([
      signatureBody(signed.changeNk, { ...signature, S: S + 1n }),
      signatureBody(signed.changeNk + 1n, signature),
    ])
    const answer = await handIn(owner, payment, wrong)
    if (answer === 'taken') stage.watch.fail('a wrong signature is refused', name)
    if (random.chance(0.3)) return
  }
  const startedAt = stage.chain.newest.unixSeconds
  const answers = await Promise.all(
    (way === 'twice' ? [0, 1, 2] : [0]).map(() => handIn(owner, payment, body)),
  )
  const isTaken = answers.includes('taken')
  if (isTaken && way === 'plainly' && startedAt + GRID_SECONDS / 2n < payment.validUntil) {
    owner.due.add(payment.key)
  }
  if (answers.includes('SIGNATURE_INVALID')) stage.watch.fail('a right signature is accepted', name)
  if (way === 'twice') {
    await stage.timeline.pause(random.below(POLL_MS))
    await handIn(owner, payment, body)
  }
}

/** A random delay that ends between 90 seconds before the payment's end and 30 seconds after it. */
function lateMs({ stage, random }: BalanceOwner, { validUntil }: OrderedPayment): number {
  const leftMs = secondsOf(validUntil - stage.chain.newest.unixSeconds) * 1_000
  return Math.max(0, leftMs + random.between(-90_000, 30_000))
}

/**
 * Pays without the service: the owner proves the payment, and the sender's wallet pays the network fees. `chosenNk` is
 * the secret of the change. By default it is the secret that clients derive.
 */
export async function payAlone(
  owner: BalanceOwner,
  { note, payee, gross }: WantedPayment,
  fee = OWN_FEE,
  chosenNk?: bigint,
): Promise<void> {
  const { stage, sender, random } = owner
  const { unixSeconds: clock } = stage.chain.newest
  const time = deliveryTimeAt(clock, note.note.expiry)
  if (time === undefined || owner.newest('finalized')?.nullifier !== note.nullifier) return
  const validUntil = time
  const terms = {
    payer: 'owner',
    key: undefined,
    payee,
    payout: gross - fee,
    fee,
    validUntil,
  } as const
  const { payment, signature } = owner.sign(note, terms, chosenNk)
  const { payout, changeNk } = payment
  for (let sends = random.between(1, 4); sends > 0; sends -= 1) {
    submitSettlement(stage, sender, note, {
      ...{ kind: 'pay', time, payee, payout: amount(payout), fee: amount(fee) },
      ...{ changeNk, validUntil: unixSeconds(validUntil), signature },
    })
    await stage.timeline.pause(random.between(10_000, 40_000))
    if (owner.newest('finalized')?.nullifier !== note.nullifier) return
  }
}
