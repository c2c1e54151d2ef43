import type { Signature } from '@solana/kit'
import { associatedTokenAddress, NATIVE_MINT, type Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { readAccounts, type RawAccount } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'
import { RemoteError } from '../../remote/remote-error.ts'
import { assetMints } from '../settlement/asset-mints.ts'
import type { ReadPoolMints } from '../settlement/pool-mints.ts'
import { listMints } from '../settlement/read-books.ts'
import { tokenPrograms } from '../settlement/token-programs.ts'
import { gatherReads, type ReadAccounts } from '../transfer/gather-reads.ts'
import { readPool } from '../transfer/read-pool.ts'
import { Decoys } from './decoys.ts'
import { readPaid, readStrangers } from './public-wallets.ts'
import { WatchedWallets } from './watched-wallets.ts'

/** A wallet's own account and, for a token, its associated token account. */
export interface WalletAccounts {
  readonly own: RawAccount | undefined
  readonly token: RawAccount | undefined
  /** Undefined for native SOL. */
  readonly tokenProgram: Address | undefined
}

/** Maximum number of transactions that one step reads to find decoys, for all assets together. */
const STRANGERS_MAX = 24
/**
 * Maximum number of assets for which each public payee is watched. It limits the number of accounts that are read
 * together.
 */
const WATCHED_MINTS_MAX = 5
/**
 * Maximum time for which the first reads of a process wait for decoys. A search for decoys usually takes a few seconds.
 * If a node hangs, quotes and deliveries continue after this time.
 */
const FIRST_LEARN_MS = 10_000
/** Deliveries that come within this time share one read of the watched wallets. */
const SHARED_MS = 1_000
/**
 * The range of bytes to read from each account. A token account with all its extensions is shorter. Anyone can name a
 * wallet whose account has ten megabytes, and many recipients share one request. Without this limit, one such wallet
 * could make the shared answer too large.
 */
const READ = { offset: 0, length: 1_024 }

export interface RecipientsOptions {
  /** The nodes for all requests that don't name a recipient. */
  readonly rpc: ChainRpc
  /** One client for each of these nodes. Omitted or empty if there is only one node. */
  readonly witnesses?: readonly ChainRpc[]
  /** Separate nodes for requests about recipients, if configured. If these nodes fail, `rpc` isn't used instead. */
  readonly recipientRpc?: ChainRpc | undefined
  readonly program: Address
  /**
   * The mints whose transactions are read to find decoys. By default, they come from the chain's list of assets. Many
   * public nodes refuse to return that list.
   */
  readonly mints?: ReadPoolMints
  readonly clock: Clock
  readonly random: Random
}

/** The methods that quotes and deliveries use. */
export type RecipientReads = Pick<Recipients, 'known' | 'read' | 'readPartner'>

/**
 * Reads the accounts of recipients. A node learns as little as possible about who will be paid:
 *
 * - A public payee is a wallet that the chain shows as a payee of the pool. Decoys couldn't hide it, because no decoy
 *   is a public payee. It is watched for all assets: all watched wallets are read together, at a fixed pace and before
 *   each delivery to one of them.
 * - Any other wallet is read in one request with decoys, which are wallets of strangers and new addresses. The decoys
 *   stay the same for a day, for all assets. Right after the start, such a read waits until strangers have been
 *   searched for. With only new addresses as decoys, a recipient with an account would be recognisable for a day.
 * - A partner's wallet is watched too, after its first use. A request never names both a partner's wallet and a
 *   recipient.
 */
export class Recipients {
  readonly #d: RecipientsOptions
  readonly #rpc: ChainRpc
  readonly #decoys: Decoys
  readonly #paid: WatchedWallets
  readonly #partners: WatchedWallets
  readonly #readQuote: ReadAccounts
  readonly #readDelivery: ReadAccounts
  readonly #tokenProgramOf: ReturnType<typeof tokenPrograms>
  readonly #mintOf: ReturnType<typeof assetMints>
  readonly #watchedRead: SharedAnswer<void>
  readonly #newest = new Map<Address, Signature | undefined>()
  #tree: Address | undefined
  /** The assets for which public payees are watched. */
  #mints: readonly Address[] = []
  /**
   * Resolves when the first search for payees and decoys ends, even if it failed. Undefined until the search begins.
   */
  #firstLearn: Promise<void> | undefined

  constructor(d: RecipientsOptions) {
    this.#d = d
    this.#rpc = d.recipientRpc ?? d.rpc
    this.#decoys = new Decoys(d)
    this.#paid = new WatchedWallets(d.clock)
    this.#partners = new WatchedWallets(d.clock)
    this.#tokenProgramOf = tokenPrograms(d.rpc, d.witnesses)
    this.#mintOf = assetMints(d.rpc, d.program)
    this.#readQuote = gatherReads(reading(this.#rpc))
    this.#readDelivery = gatherReads(reading(this.#rpc))
    const readAll = () => this.#paid.refresh((addresses) => this.#askAtOnce(addresses))
    this.#watchedRead = new SharedAnswer(readAll, d.clock)
  }

  /**
   * Returns the accounts of a public payee of the pool, as they were at most some seconds ago; undefined for any other
   * wallet. If the last read of the watched wallets is older, reads all watched wallets again.
   *
   * @throws RemoteError in the same cases as `read`.
   */
  async known(mint: Address, wallet: Address): Promise<WalletAccounts | undefined> {
    const accounts = this.#paid.accountsOf(mint, wallet) ?? (await this.#readWatched(mint, wallet))
    return accounts && accountsOf(accounts, await this.#tokenProgramOf(mint))
  }

  /**
   * Reads a wallet's accounts now. A public payee is read together with all other public payees. Any other wallet is
   * read among decoys. `asker` is the account that requests a quote; undefined for a delivery. Deliveries never wait
   * for quotes.
   *
   * @throws RemoteError `recipient_node_` with the reason if separate nodes for recipients are configured and don't
   * answer. Other nodes aren't asked instead.
   */
  async read(mint: Address, wallet: Address, asker?: string): Promise<WalletAccounts> {
    const tokenProgram = await this.#tokenProgramOf(mint)
    await this.#firstLearn
    const watched = await this.#readWatched(mint, wallet)
    if (watched !== undefined) return accountsOf(watched, tokenProgram)
    const isPublic = (one: Address) => this.#isPublic(one)
    const { wallets, place } = await this.#decoys.of(mint, wallet, isPublic, asker)
    const asked = await Promise.all(wallets.map((one) => addressesOf(mint, one, tokenProgram)))
    const each = tokenProgram === undefined ? 1 : 2
    const accounts = await this.#ask(asked.flat(), asker === undefined)
    return accountsOf(accounts.slice(place * each, (place + 1) * each), tokenProgram)
  }

  /** Returns a partner's accounts, as they were at most some seconds ago. */
  async readPartner(mint: Address, wallet: Address): Promise<WalletAccounts> {
    const tokenProgram = await this.#tokenProgramOf(mint)
    const known = this.#partners.accountsOf(mint, wallet)
    if (known !== undefined) return accountsOf(known, tokenProgram)
    const addresses = await addressesOf(mint, wallet, tokenProgram)
    const accounts = await reading(this.#d.rpc)(addresses)
    this.#partners.add(wallet, [{ mint, addresses }], accounts)
    return accountsOf(accounts, tokenProgram)
  }

  /** Makes missing new wallets, and reads the watched wallets and the partners' wallets again. */
  async refresh(): Promise<void> {
    await Promise.all([
      this.#decoys.prepare(),
      this.#watchedRead.read(0),
      this.#partners.refresh(reading(this.#d.rpc)),
    ])
  }

  /**
   * Finds the pool's recent payees on the chain, and strangers that can become decoys. Ends early if the signal aborts.
   */
  async learn(signal: AbortSignal): Promise<void> {
    const learning = this.#learn(signal)
    this.#firstLearn ??= this.#untilEnd(learning, signal)
    await learning
  }

  async #untilEnd(learning: Promise<void>, signal: AbortSignal): Promise<void> {
    const done = new AbortController()
    const ended = learning.then(
      () => done.abort(),
      () => done.abort(),
    )
    const isOver = AbortSignal.any([done.signal, signal])
    await Promise.race([ended, this.#d.clock.sleep(FIRST_LEARN_MS, isOver)])
  }

  async #learn(signal: AbortSignal): Promise<void> {
    const { rpc, program } = this.#d
    this.#tree ??= (await readPool(rpc, program))?.tree
    if (this.#tree === undefined) return
    const at = { program, tree: this.#tree }
    const { paid, until } = await readPaid(rpc, at, this.#newest.get(this.#tree), signal)
    const mints = this.#d.mints ? (await this.#d.mints()).mints : await listMints(rpc, program)
    // If a read for one token fails, payees must still be watched, and recipients must still get decoys of other kinds.
    const failures: unknown[] = []
    const note = (error: unknown) => void failures.push(error)
    const shown = mints.slice(0, WATCHED_MINTS_MAX).map(async (mint) =>
      this.#tokenProgramOf(mint).then(
        () => [mint],
        (error: unknown) => (note(error), []),
      ),
    )
    this.#mints = (await Promise.all(shown)).flat()
    for (const wallet of this.#paid.lacking(this.#mints)) await this.#watch(wallet)
    for (const { asset, payee } of paid) await this.#watch(payee, await this.#mintOf(asset))
    this.#newest.set(this.#tree, until)
    const limit = Math.ceil(STRANGERS_MAX / Math.max(1, mints.length))
    for (const mint of mints) await this.#learnStrangers(mint, limit, signal).catch(note)
    if (failures.length > 0) throw failures[0]
  }

  async #learnStrangers(mint: Address, limit: number, signal: AbortSignal): Promise<void> {
    const since = { limit, until: this.#newest.get(mint) }
    const seen = await readStrangers(this.#d.rpc, this.#d.program, mint, since, signal)
    this.#decoys.learn(mint, seen)
    this.#newest.set(mint, seen.until)
  }

  /**
   * Returns the accounts of a watched wallet, after reading all watched wallets; undefined if the wallet isn't watched.
   */
  async #readWatched(
    mint: Address,
    wallet: Address,
  ): Promise<readonly (RawAccount | undefined)[] | undefined> {
    if (!this.#paid.has(wallet)) return undefined
    if (!this.#paid.watches(mint, wallet)) await this.#watch(wallet, mint)
    // The first pass may share a read that began before this wallet was watched. Such a read lacks the wallet. Then the
    // second pass starts a new read.
    for (const ageMaxMs of [SHARED_MS, 0]) {
      if (!this.#paid.watches(mint, wallet)) return undefined
      await this.#watchedRead.read(ageMaxMs, ageMaxMs)
      const accounts = this.#paid.accountsOf(mint, wallet, Infinity)
      if (accounts !== undefined) return accounts
    }
    return undefined
  }

  /**
   * Watches a wallet for all assets from the beginning. If the first quote for an asset began the watch for this asset,
   * the node would see that someone is about to pay the wallet.
   */
  async #watch(wallet: Address, mint?: Address): Promise<void> {
    const mints = mint === undefined ? this.#mints : new Set([mint, ...this.#mints])
    const assets = [...mints].map(async (one) => ({
      mint: one,
      addresses: await addressesOf(one, wallet, await this.#tokenProgramOf(one)),
    }))
    this.#paid.add(wallet, await Promise.all(assets))
  }

  #isPublic(wallet: Address): boolean {
    return this.#paid.has(wallet) || this.#partners.has(wallet)
  }

  async #ask(
    addresses: readonly Address[],
    isDelivery: boolean,
  ): Promise<readonly (RawAccount | undefined)[]> {
    return this.#named(() => (isDelivery ? this.#readDelivery : this.#readQuote)(addresses))
  }

  async #askAtOnce(addresses: readonly Address[]): Promise<readonly (RawAccount | undefined)[]> {
    return this.#named(() => reading(this.#rpc)(addresses))
  }

  async #named<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#d.recipientRpc === undefined) return ask()
    try {
      return await ask()
    } catch (error) {
      const reason = error instanceof RemoteError ? error.code : 'failed'
      throw new RemoteError('recipient_node', reason, NEXT)
    }
  }
}

const NEXT = 'no other node is asked about recipients; check SOTTO_RECIPIENT_RPC_URLS'

const reading =
  (rpc: ChainRpc): ReadAccounts =>
  async (addresses) =>
    (await readAccounts(rpc, addresses, { commitment: 'confirmed', slice: READ })).accounts

async function addressesOf(
  mint: Address,
  wallet: Address,
  tokenProgram: Address | undefined,
): Promise<Address[]> {
  if (tokenProgram === undefined || mint === NATIVE_MINT) return [wallet]
  return [wallet, await associatedTokenAddress(wallet, mint, tokenProgram)]
}

function accountsOf(
  [own, token]: readonly (RawAccount | undefined)[],
  tokenProgram: Address | undefined,
): WalletAccounts {
  return { own, token, tokenProgram }
}
