import type { Address } from '@solana/kit'
import { U64_MAX } from '@sotto/protocol'
import { reasonsOf, type Refusal } from './attempt.ts'
import { appendLeaf, move, type Model } from './model.ts'

/** A deposit as it was sent. The amounts come from the instruction's data, so they are below 2^64. */
export interface SentDeposit {
  readonly orderId: string
  readonly orderAccount: Address
  readonly orderRent: bigint
  readonly source: 0 | 1
  readonly destination: 0 | 1
  readonly sender: Address
  readonly senderPocket: Address
  readonly partnerPocket: Address
  readonly vault: Address
  readonly amountIn: bigint
  readonly value: bigint
  readonly partnerFee: bigint
  readonly deadline: bigint
  readonly validUntil: bigint
  readonly leaf: bigint
  /** The key that signed the authorisation. `isSigned` shows whether the key signed these terms. */
  readonly signer: Address
  readonly isSigned: boolean
}

/** Every reason to refuse a deposit, according to docs/protocol.md. */
export function depositReasons(model: Model, sent: SentDeposit): Set<Refusal> {
  const { source, destination, amountIn, value, partnerFee } = sent
  const [asset, target] = [model.assets[source], model.assets[destination]]
  const isSwap = source !== destination
  const kept = amountIn - partnerFee
  const isKnown = model.authorisers.includes(sent.signer)
  const used = swapsHeld(model, destination)
  const holds = (pocket: Address) => model.money.get(pocket) ?? 0n
  const needsLamports = sent.orderRent + (source === 0 ? amountIn : 0n)
  return reasonsOf([
    [model.depositsPaused || asset.depositsPaused || target.depositsPaused, 'DepositsPaused'],
    [model.clock > sent.deadline, 'DeadlinePassed'],
    [sent.deadline > model.clock + model.maxDepositSeconds, 'DeadlineTooFar'],
    [model.clock > sent.validUntil || sent.validUntil > sent.deadline, 'AuthorisationExpired'],
    [sent.deadline % 600n !== 0n, 'OffTimeGrid'],
    [!isKnown, 'AuthoriserUnknown'],
    [!sent.isSigned, 'AuthorisationMismatch'],
    [model.orders.has(sent.orderId), 'OrderExists'],
    [value === 0n, 'ZeroAmount'],
    [amountIn > asset.depositMax, 'DepositTooLarge'],
    [kept < 0n || (!isSwap && kept !== value), 'AmountMismatch'],
    [isSwap && used + value > target.swapCap, 'SwapCapReached'],
    [isSwap && used + value > U64_MAX, 'Overflow'],
    [isSwap && asset.inventory + kept > U64_MAX, 'Overflow'],
    [target.owed + value > U64_MAX, 'Overflow'],
    [isSwap && value > target.inventory, 'InsufficientInventory'],
    [holds(sent.senderPocket) < amountIn || holds(sent.sender) < needsLamports, 'elsewhere'],
  ])
}

/** The used part of the cap. It decreases at a constant rate: by a whole cap in each period. */
function swapsHeld({ clock, assets }: Model, asset: 0 | 1): bigint {
  const { swapCap, swapPeriodSeconds, swapUpdatedAt, swapUsed } = assets[asset]
  const elapsed = clock - swapUpdatedAt
  if (elapsed >= swapPeriodSeconds) return 0n
  const back = (swapCap * elapsed) / swapPeriodSeconds
  return swapUsed > back ? swapUsed - back : 0n
}

/** Applies the effect of a landed deposit to the model. */
export function applyDeposit(model: Model, sent: SentDeposit): void {
  const { source, destination, amountIn, value, partnerFee } = sent
  const [asset, target] = [model.assets[source], model.assets[destination]]
  if (source !== destination) {
    target.swapUsed = swapsHeld(model, destination) + value
    target.swapUpdatedAt = model.clock
    target.inventory -= value
    asset.inventory += amountIn - partnerFee
  }
  target.owed += value
  move(model, sent.senderPocket, sent.vault, amountIn - partnerFee)
  move(model, sent.senderPocket, sent.partnerPocket, partnerFee)
  model.money.set(sent.sender, (model.money.get(sent.sender) ?? 0n) - sent.orderRent)
  const leafIndex = appendLeaf(model, sent.leaf)
  const { deadline, sender, orderAccount: account } = sent
  model.orders.set(sent.orderId, { account, deadline, leafIndex, sender })
}
