import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND as UNKNOWN_SIGNATURE,
  type Address,
} from '@solana/kit'
import { appendedOf, settlementsOf, unixSeconds } from '@sotto/protocol'
import type { Appended, FinalizedHead, TreeTransaction } from '../../../ports/settlement-chain.ts'
import { runBounded } from '../../../running/run-bounded.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { inBlockOrder } from './block-order.ts'
import { KeptTransactions } from './kept-transactions.ts'
import { listPage, secondsOf, SIGNATURES_PAGE, type ListedSignature } from './list-signatures.ts'
import { readTransaction } from './read-transaction.ts'

/** Number of transactions that are fetched concurrently. The number is small, because nodes limit requests. */
const CONCURRENCY = 16
/**
 * Maximum number of pages that one call lists. Such a call takes only a few seconds, so a long history doesn't delay
 * other work for long.
 */
const PAGES_MAX = 50
const NO_TIME = unixSeconds(0n)
/**
 * Maximum number of pages of one listing: twenty million transactions. A longer history can't be read from a node. Then
 * published leaves must be used instead.
 */
const ALL_PAGES_MAX = 20_000

export interface HistoryOptions {
  readonly rpc: ChainRpc
  readonly program: Address
  readonly tree: Address
  readonly mintOf: (asset: Address) => Promise<Address>
  readonly pagesMax?: number
  /** True to read whole settlements; false to read only the leaves that they appended. */
  readonly withSettlements?: boolean
}

/** A listing of transactions. It may take several calls, and each call continues where the previous one stopped. */
interface Listing {
  readonly slotFrom: bigint
  /** The head at the start of the listing. Transactions newer than this head may be missing. */
  readonly head: FinalizedHead
  /** Successful transactions, newest first. */
  readonly landed: ListedSignature[]
  /** The oldest transaction listed so far. */
  before: ListedSignature['signature'] | undefined
  pages: number
  isWhole: boolean
}

/**
 * Reads the transactions that appended to the tree. Anyone can name the tree in a transaction, so there may be many
 * transactions to read. The reader fetches these transactions in parallel, and skips failed transactions. After an
 * interruption, the next call continues.
 */
export class HistoryReader {
  readonly #at: HistoryOptions
  readonly #kept = new KeptTransactions()
  /** The listings, by the first slot of each listing. */
  readonly #listings = new Map<bigint, Listing>()

  constructor(at: HistoryOptions) {
    this.#at = at
  }

  /** Returns the transactions, oldest first. @throws Error if a part is still unread; the next call continues. */
  async read(slotFrom: bigint, head: FinalizedHead): Promise<TreeTransaction[]> {
    const listing = this.#listingOf(slotFrom, head)
    await this.#listOn(listing)
    const wanted = listing.landed.toReversed()
    const found = new Map<string, TreeTransaction>()
    let failure: { readonly error: unknown } | undefined
    await runBounded(wanted, CONCURRENCY, async (one) => {
      if (failure !== undefined) return
      try {
        const read = await this.#kept.fetchOnce(one.signature, () => this.#fetch(one))
        found.set(one.signature, read)
      } catch (error) {
        failure = { error }
      }
    })
    if (failure !== undefined) throw failure.error
    const transactions = wanted.flatMap(({ signature }) => found.get(signature) ?? [])
    return inBlockOrder(
      this.#at.rpc,
      transactions.filter(({ appended }) => appended.length > 0),
    )
  }

  /** Drops everything that was read, so that the next read requests it again. */
  forget(): void {
    this.#listings.clear()
    this.#kept.forget()
  }

  #listingOf(slotFrom: bigint, head: FinalizedHead): Listing {
    const begun = this.#listings.get(slotFrom)
    if (begun !== undefined && !begun.isWhole) return begun
    const fresh = { slotFrom, head, landed: [], before: undefined, pages: 0, isWhole: false }
    // The previous listing is kept. So two reads with different first slots can both continue.
    for (const { slotFrom: other } of [...this.#listings.values()].slice(0, -1)) {
      this.#listings.delete(other)
    }
    this.#listings.set(slotFrom, fresh)
    return fresh
  }

  async #listOn(listing: Listing): Promise<void> {
    const { rpc, tree, pagesMax = PAGES_MAX } = this.#at
    const { landed, slotFrom, head } = listing
    for (let pages = 0; !listing.isWhole; pages += 1) {
      if (pages === pagesMax)
        throw new Error('the history is long: the next round continues to read it')
      if (listing.pages === ALL_PAGES_MAX) throw new Error('the history is too long to read')
      const { before } = listing
      const page = await this.#page(listing, () =>
        listPage(rpc, tree, { before, slotMin: head.slot }),
      )
      for (const one of page) if (one.slot >= slotFrom && !one.hasFailed) landed.push(one)
      const oldest = page.at(-1)
      listing.pages += 1
      listing.before = oldest?.signature
      listing.isWhole =
        oldest === undefined || page.length < SIGNATURES_PAGE || oldest.slot < slotFrom
    }
  }

  /**
   * Reads a page. If another node returned the previous page, this node may not know the last transaction of that page.
   * Then it can't continue the listing, so the listing is dropped.
   */
  async #page(
    { slotFrom }: Listing,
    read: () => Promise<ListedSignature[]>,
  ): Promise<ListedSignature[]> {
    try {
      return await read()
    } catch (error) {
      if (isSolanaError(error, UNKNOWN_SIGNATURE)) this.#listings.delete(slotFrom)
      throw error
    }
  }

  async #fetch(listed: ListedSignature): Promise<TreeTransaction> {
    const { rpc, program, mintOf, withSettlements = false } = this.#at
    const { signature, slot } = listed
    const record = await readTransaction(rpc, signature)
    const appended: Appended[] = []
    const settlements = settlementsOf(program, record)
    for (const one of appendedOf(program, record)) {
      if (one.kind === 'change') {
        // Two settlements of one transaction may append equal leaves. Both lists have the order of execution, so the
        // first remaining settlement with this leaf is the right one.
        const place = settlements.findIndex(({ changeLeaf }) => changeLeaf === one.leaf)
        const [ran] = place < 0 ? [] : settlements.splice(place, 1)
        const paid = ran?.isRefund === true ? 'refund' : ran?.payee
        const isWanted = withSettlements && ran !== undefined
        const settlement = isWanted ? { ...ran, mint: await mintOf(ran.asset) } : undefined
        appended.push({ ...one, paid, settlement })
      } else {
        const { data } = one
        const sourceMint = await mintOf(data.sourceAsset)
        const destinationMint = await mintOf(data.destinationAsset)
        appended.push({ kind: 'deposit', deposit: { ...data, sourceMint, destinationMint } })
      }
    }
    // A transaction that appended nothing is dropped later, so its time isn't needed.
    const unixSeconds = appended.length === 0 ? NO_TIME : await secondsOf(rpc, listed)
    return { signature, slot, unixSeconds, appended }
  }
}
