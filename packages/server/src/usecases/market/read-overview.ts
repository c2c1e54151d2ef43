import { unixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { PoolBooks } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Runway } from '../../ports/inventory-store.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import type { NamedAsset, OverviewStore } from '../../ports/overview-store.ts'
import type { SettlementReport } from '../../ports/settlement-gauges.ts'
import type { TroubleList } from '../../ports/trouble-list.ts'
import { isoOfMs, isoOfSeconds } from '../iso-time.ts'

export interface OverviewDependencies {
  readonly store: OverviewStore
  readonly clock: Clock
  /** The last report of a worker in this process; undefined before the first report. */
  readonly settlement: () => SettlementReport | undefined
  readonly troubles: TroubleList
  /** Reads the balance of every vault and the amounts owed from that vault. Throws if no node answers. */
  readonly readBooks: () => Promise<PoolBooks>
  readonly readRunways: () => MaybePromise<readonly Runway[]>
  /** Seconds without progress after which the chain counts as not followed. */
  readonly unfollowedSeconds: number
  /** A description of this process. */
  readonly about: { readonly cluster: string; readonly roles: readonly string[] }
}

/**
 * Greatest age of the vaults' balances, in milliseconds. Reading all vaults is expensive for a node, and operators
 * don't need balances that are exact to the second.
 */
const BOOKS_MS = 15_000

/**
 * Creates a function that reads everything that the console shows, except its plots. Amounts are strings of digits, and
 * times are timestamps.
 */
export function overviewReader(d: OverviewDependencies): () => Promise<object> {
  let books:
    | { readonly vaults: Promise<readonly object[] | null>; readonly atMs: number }
    | undefined
  return async () => {
    const nowMs = d.clock.nowMs()
    if (books === undefined || Math.abs(nowMs - books.atMs) >= BOOKS_MS) {
      books = { vaults: readVaults(d), atMs: nowMs }
    }
    const {
      open,
      followed,
      halted,
      books: agreement,
      liquidity,
      hasPaidPayees,
    } = await d.store.readOverview()
    const report = d.settlement()
    return {
      success: true,
      takenAt: isoOfMs(nowMs),
      ...d.about,
      health: {
        halted: halted ?? null,
        unfollowedSeconds: d.unfollowedSeconds,
        followed: followed && {
          slot: `${followed.slot}`,
          chainTime: isoOfSeconds(followed.unixSeconds),
          at: isoOfMs(followed.atMs),
        },
        books: agreement && { agree: agreement.areAgreeing, at: isoOfMs(agreement.atMs) },
        liquidity: liquidity && { isLiquid: liquidity.isLiquid, at: isoOfMs(liquidity.atMs) },
        hasPaidPayees,
      },
      open,
      settlement: report === undefined ? null : settlementOf(report),
      vaults: await books.vaults,
      troubles: d.troubles().map(({ lastAtMs, ...rest }) => ({ ...rest, at: isoOfMs(lastAtMs) })),
    }
  }
}

function settlementOf({
  balances,
  affordable,
  open,
  payable,
  overdueSeconds,
  lastDeliveryHours,
}: SettlementReport): object {
  return {
    relayers: balances.map((lamports) => `${lamports}`),
    affordable: `${affordable}`,
    ...{ open, payable, overdueSeconds, lastDeliveryHours: lastDeliveryHours ?? null },
  }
}

/**
 * Reads the vaults' balances. If no node answers, the result is null instead of an error, because operators then need
 * the rest of the console most.
 */
async function readVaults(d: OverviewDependencies): Promise<readonly object[] | null> {
  try {
    const reads = [d.readBooks(), d.store.readAssets(), knownRunways(d)] as const
    const [{ assets }, named, runways] = await Promise.all(reads)
    return assets.map(({ mint, held, rent, owed, fees, inventory }) => {
      const asset = named.find((one) => one.mint === mint)
      return {
        ...nameOf(asset),
        ...{ held: `${held}`, owed: `${owed}`, fees: `${fees}`, inventory: `${inventory}` },
        // `held` excludes the vault's present minimum rent. If the cluster has raised the minimum rent, `held` may be
        // too small although no money is missing. So the rent is added again.
        covers: held + rent >= owed + fees + inventory,
        // The member is omitted if the hours are unknown.
        dryHours: runways && hoursOf(runways, asset),
      }
    })
  } catch {
    return null
  }
}

/**
 * Reads how long the inventories will last. If that is unknown, returns undefined instead of an error, because the
 * vaults are shown anyway.
 */
async function knownRunways({
  readRunways,
}: OverviewDependencies): Promise<readonly Runway[] | undefined> {
  try {
    return await readRunways()
  } catch {
    return undefined
  }
}

const hoursOf = (runways: readonly Runway[], asset: NamedAsset | undefined) =>
  runways.find(({ symbol }) => symbol === asset?.symbol)?.hours ?? null

const nameOf = (asset: NamedAsset | undefined) => ({
  symbol: asset?.symbol ?? 'an asset that is not listed',
  decimals: asset?.decimals ?? 0,
})

/** The time ranges of the plots, with their resolutions. */
const RANGES = {
  '6h': { spans: 72, spanSeconds: 300 },
  '24h': { spans: 96, spanSeconds: 900 },
  '7d': { spans: 84, spanSeconds: 7_200 },
} as const
export type AnonymityRange = keyof typeof RANGES

export const isAnonymityRange = (text: string): text is AnonymityRange =>
  Object.hasOwn(RANGES, text)

/**
 * Reads the deposits of every asset over time, and the largest group of indistinguishable deposits in each span. These
 * are public facts of the chain, dated by the chain's clock.
 */
export async function readAnonymitySeries(
  { store }: Pick<OverviewDependencies, 'store'>,
  range: AnonymityRange,
): Promise<object> {
  const { spans, spanSeconds } = RANGES[range]
  const { followed } = await store.readOverview()
  const now = wholeNumber(followed?.unixSeconds ?? 0n)
  const first = (Math.floor(now / spanSeconds) - spans + 1) * spanSeconds
  const anonymitySpans = await store.readAnonymitySpans(
    unixSeconds(BigInt(Math.max(0, first))),
    spanSeconds,
  )
  const assets = await store.readAssets()
  const series = assets.map(({ mint, symbol }) => {
    const deposits = Array<number>(spans).fill(0)
    const alike = Array<number>(spans).fill(0)
    for (const one of anonymitySpans.filter((span) => span.mint === mint)) {
      const at = Math.floor((wholeNumber(one.fromSeconds) - first) / spanSeconds)
      if (at < 0 || at >= spans) continue
      deposits[at] = one.deposits
      alike[at] = one.alike
    }
    return { symbol, deposits, alike }
  })
  return { success: true, range, spanSeconds, fromSeconds: first, series }
}
