import { amount, type Address } from '@sotto/protocol'
import type { SeenDeposit, SeenSettlement, Sightings } from '../chain/sightings.ts'

const BEGIN = 1_700_000_400
const ASSET = 'asset' as Address

interface SampleDeposit {
  readonly at: number
  readonly value: bigint
  readonly sender: string
}

export interface SampleSettlement {
  readonly at: number
  readonly gross: bigint
  readonly payee: string
  readonly isRefund?: boolean
  /** The proof's root covers all leaves up to this time. */
  readonly rootAt?: number
  readonly fee?: bigint
  readonly opensAccount?: boolean
  /** The time at which the payee's token account was opened. */
  readonly accountAt?: number
  /** The wallet that pays the transaction's fees. */
  readonly relayer?: string
}

/** A failed settlement of the note that a later settlement spends. */
interface SampleFailure {
  readonly at: number
  readonly payee: string
  /** The position of the later settlement among the settlements. */
  readonly settlement: number
}

/** Builds sightings of one asset for tests. Members that the inference doesn't use are empty. */
export function sampleSightings(
  deposits: readonly SampleDeposit[],
  settlements: readonly SampleSettlement[],
  untilSeconds = 100_000,
  failed: readonly SampleFailure[] = [],
): Sightings {
  const times = [...deposits, ...settlements].sort((left, right) => left.at - right.at)
  const placeOf = (one: SampleDeposit | SampleSettlement): number => times.indexOf(one)
  const rootLeafOf = ({ rootAt }: SampleSettlement): number | undefined =>
    rootAt === undefined ? undefined : times.filter(({ at }) => at <= rootAt).length - 1
  const nothing = new Uint8Array()
  const layout = { unitLimit: undefined, unitPrice: undefined, programs: '', opensAccount: false }
  return {
    leafSeconds: times.map(({ at }) => BEGIN + at),
    untilSeconds: BEGIN + untilSeconds,
    failed: failed.map((one) => ({
      ...{ seconds: BEGIN + one.at, asset: ASSET, payee: one.payee as Address, relayer: ASSET },
      ...{ isRefund: false, nullifier: BigInt(one.settlement) },
    })),
    deposits: deposits.map((one, index): SeenDeposit => ({
      ...{ index, leafIndex: placeOf(one), seconds: BEGIN + one.at, sender: one.sender as Address },
      ...{
        sourceAsset: ASSET,
        asset: ASSET,
        amountIn: amount(one.value),
        value: amount(one.value),
      },
      ...{ partnerFee: amount(0n), deadline: 0, orderId: nothing, inner: 0n, payload: nothing },
    })),
    settlements: settlements.map((one, index): SeenSettlement => ({
      ...{ index, leafIndex: placeOf(one), seconds: BEGIN + one.at, signature: `${index}` },
      ...{ asset: ASSET, payee: one.payee as Address },
      ...{ payout: amount(one.gross - (one.fee ?? 0n)), fee: amount(one.fee ?? 0n) },
      ...{ isRefund: one.isRefund === true, time: 0, rootLeaf: rootLeafOf(one) },
      relayer: (one.relayer ?? ASSET) as Address,
      ...{ nullifier: BigInt(index), changeLeaf: 0n },
      layout: { ...layout, opensAccount: one.opensAccount === true },
      accountSeconds: one.accountAt === undefined ? undefined : BEGIN + one.accountAt,
    })),
  }
}
