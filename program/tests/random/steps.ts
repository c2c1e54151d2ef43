import fc from 'fast-check'
import { U64_MAX } from '@sotto/protocol'

/**
 * The sender of an admin instruction: the current admin, a second wallet that may become admin, a thief, or the admin
 * without a signature.
 */
export type AdminActor = 'admin' | 'other admin' | 'thief' | 'unsigned'

export const DEPOSIT_HOSTILITIES = [
  'unknown key',
  'other domain',
  'altered after signing',
  'known order',
  'off by one',
  'deadline passed',
  'deadline too far',
  'authorisation passed',
  'authorisation outlives',
  'deadline off grid',
  'nothing to pay with',
  'wrapping amounts',
] as const
export type DepositHostility = (typeof DEPOSIT_HOSTILITIES)[number]

export const SETTLE_TAMPERINGS = [
  'payout',
  'payee',
  'time',
  'proof',
  'nullifier',
  'fee',
  'change',
  'modulus',
  'other kind',
  'undefined flag',
] as const
export type SettleTampering = (typeof SETTLE_TAMPERINGS)[number]

/** Times at which the possible settlements of a note change, and the time from which its order can be closed. */
export const INSTANTS = ['expiry', 'refund', 'refund end', 'last refund', 'order closes'] as const

export type Step =
  | { readonly kind: 'wait'; readonly seconds: bigint }
  | {
      readonly kind: 'jump'
      readonly note: number
      readonly to: (typeof INSTANTS)[number]
      readonly shift: bigint
    }
  | { readonly kind: 'outlive'; readonly pick: number; readonly shift: bigint }
  | SentStep
  | { readonly kind: 'pair'; readonly first: SentStep; readonly second: SentStep }

/** A step that sends an instruction of the program. */
export type SentStep = DepositStep | SettleStep | CloseStep | AdminStep

export interface DepositStep {
  readonly kind: 'deposit'
  readonly source: 0 | 1
  readonly isSwap: boolean
  readonly sender: number
  readonly value: bigint
  readonly partnerFee: bigint
  readonly key: 0 | 1
  readonly hostility: DepositHostility | undefined
}

export interface SettleStep {
  readonly kind: 'settle'
  readonly proof: number
  /** True if the step should prefer a proof that can be used at this time. */
  readonly isTimely: boolean
  readonly root: 'recent' | 'checkpoint' | 'other'
  readonly tampering: SettleTampering | undefined
}

export interface CloseStep {
  readonly kind: 'close'
  readonly what: 'order' | 'nullifier'
  readonly picks: readonly number[]
  readonly hostility: 'to thief' | 'as the other kind' | undefined
}

export type AdminStep = { readonly by: AdminActor } & (
  | {
      readonly kind: 'config'
      readonly depositsPaused: boolean
      readonly maxDepositSeconds: number
      readonly handsOver: boolean
    }
  | {
      readonly kind: 'asset'
      readonly asset: 0 | 1
      readonly depositsPaused: boolean
      readonly depositMax: bigint
      readonly swapCap: bigint
      readonly swapPeriodSeconds: number
    }
  | { readonly kind: 'rotate'; readonly slot: 0 | 1; readonly key: 0 | 1 | undefined }
  | {
      readonly kind: 'add' | 'remove' | 'collect'
      readonly asset: 0 | 1
      readonly quantity: bigint
    }
)

const asset = fc.constantFrom<0 | 1>(0, 1)
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: value })
const shift = fc.constantFrom(-1n, 0n, 1n)
const size = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 890_880n, max: 4_000_000_000n }) },
  { weight: 2, arbitrary: fc.constantFrom(0n, 1n, 890_879n, 890_880n, 10_000_000_000n) },
)
/** Draws an amount of fees to collect. The amount is often 1, for which a single earned fee is enough. */
const fee = fc.oneof(
  { weight: 2, arbitrary: fc.constant(1n) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 5_000_000n }) },
  { weight: 1, arbitrary: fc.constant(0n) },
)
const by = fc.oneof(
  { weight: 6, arbitrary: fc.constant('admin' as const) },
  { weight: 2, arbitrary: fc.constantFrom('other admin' as const, 'thief', 'unsigned') },
)
/** Draws whether deposits are paused. A pause is rare, because a paused pool refuses all interesting steps. */
const paused = fc.constantFrom(false, false, false, true)

const wait: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('wait' as const),
  seconds: fc.constantFrom(1n, 599n, 600n, 3_600n, 43_200n, 86_400n, 172_800n),
})
const jump: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('jump' as const),
  note: fc.nat(),
  to: fc.constantFrom(...INSTANTS, 'refund' as const, 'refund' as const),
  shift,
})
const outlive: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('outlive' as const),
  pick: fc.nat(),
  shift,
})
const deposit: fc.Arbitrary<DepositStep> = fc.record({
  kind: fc.constant('deposit' as const),
  source: asset,
  isSwap: fc.boolean(),
  sender: fc.nat(),
  value: size,
  partnerFee: fc.constantFrom(0n, 0n, 25_000n),
  key: fc.constantFrom<0 | 1>(0, 0, 0, 0, 1),
  hostility: sometimes(fc.constantFrom(...DEPOSIT_HOSTILITIES)),
})
const settle: fc.Arbitrary<SettleStep> = fc.record({
  kind: fc.constant('settle' as const),
  proof: fc.nat(),
  isTimely: fc.constantFrom(true, true, false),
  root: fc.constantFrom('recent' as const, 'recent', 'checkpoint', 'other'),
  tampering: sometimes(fc.constantFrom(...SETTLE_TAMPERINGS)),
})
const close: fc.Arbitrary<CloseStep> = fc.record({
  kind: fc.constant('close' as const),
  what: fc.constantFrom('order' as const, 'nullifier'),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  hostility: sometimes(fc.constantFrom('to thief' as const, 'as the other kind')),
})
const admin: fc.Arbitrary<AdminStep> = fc.oneof(
  fc.record({
    kind: fc.constant('config' as const),
    by,
    depositsPaused: paused,
    maxDepositSeconds: fc.constantFrom(3_600, 3_600, 600, 1, 0, 3_601),
    handsOver: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('asset' as const),
    by,
    asset,
    depositsPaused: paused,
    depositMax: fc.constantFrom(0n, 1_000_000_000n, 50_000_000_000n, U64_MAX),
    swapCap: fc.constantFrom(0n, 6_000_000_000n, 10_000_000_000n, U64_MAX),
    swapPeriodSeconds: fc.constantFrom(0, 1, 3_600, 86_400),
  }),
  fc.record({
    kind: fc.constant('rotate' as const),
    by,
    slot: asset,
    key: fc.constantFrom<0 | 1 | undefined>(0, 1, undefined),
  }),
  fc.record({ kind: fc.constantFrom('add' as const, 'remove'), by, asset, quantity: size }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('collect' as const), by, asset, quantity: fee }),
  },
)

/** Draws an instruction to send. Two of these instructions can share a transaction: both land, or neither does. */
const sent: fc.Arbitrary<SentStep> = fc.oneof(
  { weight: 3, arbitrary: deposit },
  { weight: 4, arbitrary: settle },
  { weight: 2, arbitrary: close },
  { weight: 1, arbitrary: admin },
)
const pair: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('pair' as const),
  first: sent,
  second: sent,
})

/** Draws one step of a sequence. The step's references are resolved in the model when the step runs. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: wait },
  { weight: 3, arbitrary: jump },
  // This step is rare, because it leaves no notes to settle.
  { weight: 1, arbitrary: outlive },
  { weight: 7, arbitrary: deposit },
  { weight: 10, arbitrary: settle },
  { weight: 3, arbitrary: close },
  { weight: 4, arbitrary: admin },
  { weight: 4, arbitrary: pair },
)
