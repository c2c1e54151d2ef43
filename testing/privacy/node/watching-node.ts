import { createSolanaRpcFromTransport, getBase58Decoder, type Address } from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  addressBytes,
  ASSET_BYTES,
  assetAddress,
  NATIVE_MINT,
  poolAddress,
  RENT_SYSVAR,
} from '@sotto/protocol'
import type { Script } from '../../../observe/script/encode-events.ts'
import type { ChainRpc } from '../../../packages/server/src/adapters/rpc/rpc-client.ts'
import type { SeededRandom } from '../../../sim/time/seeded-random.ts'

/** A request that the node has recorded. */
export interface SeenRequest {
  /** Seconds since 1970. */
  readonly seconds: number
  readonly method: string
  /** The accounts that the request names, in the order of the request. */
  readonly named: readonly string[]
}

/** A token that the pool accepts and that strangers hold. */
export const TOKEN = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address

type Request = { readonly method: string; readonly params: readonly unknown[] }

const POOL_BYTES = 176
const [POOL, ASSET] = [1, 3]
const TREE_OFFSET = 136
const MINT_OFFSET = 8
const RENT_PRICE = 3_480n
interface Stranger {
  readonly signers: readonly string[]
  /** Owners of token accounts that the transaction names. */
  readonly holders: readonly string[]
}
/** Number of signers of a stranger's transaction. */
const SIGNERS = 2

/**
 * A node that remembers every request. It returns the transactions of a prepared history up to the current second. It
 * also returns transactions of strangers. About half of the payees have an account before they are paid.
 */
export class WatchingNode {
  readonly seen: SeenRequest[] = []
  readonly rpc: ChainRpc
  nowSeconds: number
  readonly #script: Script
  readonly #random: SeededRandom
  readonly #accounts = new Map<string, Buffer>()
  readonly #existing = new Map<string, boolean>()
  readonly #strangers = new Map<string, Stranger>()

  constructor(script: Script, nowSeconds: number, random: SeededRandom) {
    this.#script = script
    this.nowSeconds = nowSeconds
    this.#random = random
    this.rpc = createSolanaRpcFromTransport(async (request) => {
      const { method, params } = request.payload as Request
      return { jsonrpc: '2.0', id: '1', result: this.#answer(method, params) } as never
    })
  }

  async open(): Promise<this> {
    const { program, tree } = this.#script
    const pool = Buffer.alloc(POOL_BYTES)
    pool[0] = POOL
    pool.set(addressBytes(tree), TREE_OFFSET)
    const rent = Buffer.alloc(17)
    rent.writeBigUInt64LE(RENT_PRICE)
    rent.writeDoubleLE(2, 8)
    this.#accounts.set(await poolAddress(program), pool)
    for (const mint of [NATIVE_MINT, TOKEN]) {
      const asset = Buffer.alloc(ASSET_BYTES)
      asset[0] = ASSET
      asset.set(addressBytes(mint), MINT_OFFSET)
      this.#accounts.set(await assetAddress(program, mint), asset)
    }
    this.#accounts.set(RENT_SYSVAR, rent)
    return this
  }

  /** The wallets that strangers' transactions show as holders of the token. */
  get holders(): ReadonlySet<string> {
    return new Set([...this.#strangers.values()].flatMap(({ holders }) => holders))
  }

  /** The wallets of the strangers' transactions that the node has returned to the service. */
  get shownWallets(): ReadonlySet<string> {
    const returned = this.seen.filter(({ method }) => method === 'getTransaction')
    const strangers = returned.flatMap(({ named: [one = ''] }) => this.#strangers.get(one) ?? [])
    return new Set(strangers.flatMap(({ signers, holders }) => [...signers, ...holders]))
  }

  /**
   * True if the node has an account at this address. Whether a payee has an account is drawn when the payee is added.
   * Every wallet of a stranger has an account.
   */
  exists(address: string): boolean {
    return this.#accounts.has(address) || this.#existing.get(address) === true
  }

  /** Adds a wallet that a partner's customer is about to pay. */
  addPayee(address: Address): void {
    if (!this.#existing.has(address)) this.#existing.set(address, this.#random.chance(0.5))
  }

  #answer(method: string, params: readonly unknown[]): unknown {
    const named = [params[0]].flat().map(String)
    this.seen.push({ seconds: this.nowSeconds, method, named })
    const context = { slot: BigInt(this.nowSeconds) }
    switch (method) {
      case 'getMultipleAccounts':
        return { context, value: named.map((address) => this.#account(address)) }
      case 'getProgramAccounts':
        return this.#assets()
      case 'getSignaturesForAddress':
        return named[0] === this.#script.tree
          ? this.#listed(params[1] as { limit: number; until?: string })
          : this.#listStrangers(named[0], (params[1] as { limit: number }).limit)
      case 'getTransaction':
        return this.#transaction(String(params[0]))
      case 'getEpochInfo':
        return { absoluteSlot: context.slot, blockHeight: context.slot }
      case 'getLatestBlockhash':
        return { context, value: { blockhash: NATIVE_MINT, lastValidBlockHeight: context.slot } }
      default:
        throw new Error(`the node has no answer to ${method}`)
    }
  }

  #account(address: string): object | null {
    if (address === CLOCK) return shown(SYSVARS, this.#clock())
    if (address === TOKEN) return shown(TOKEN_PROGRAM_ADDRESS, Buffer.alloc(0))
    const data = this.#accounts.get(address)
    if (data !== undefined) return shown(this.#script.program, data)
    return this.exists(address) ? shown(SYSTEM, Buffer.alloc(0)) : null
  }

  #clock(): Buffer {
    const data = Buffer.alloc(40)
    data.writeBigInt64LE(BigInt(this.nowSeconds), 32)
    return data
  }

  #assets(): object[] {
    return [...this.#accounts]
      .filter(([, data]) => data[0] === ASSET && data.length === ASSET_BYTES)
      .map(([pubkey, data]) => ({ pubkey, account: shown(this.#script.program, data) }))
  }

  #listed({ limit, until }: { readonly limit: number; readonly until?: string }): object[] {
    const landed = this.#script.records.filter(({ seconds }) => seconds <= this.nowSeconds)
    const newest = landed.toReversed()
    const end = newest.findIndex(({ signature }) => signature === until)
    return newest
      .slice(0, end < 0 ? limit : Math.min(end, limit))
      .map(({ signature, slot }) => ({ signature, slot: BigInt(slot), err: null }))
  }

  #listStrangers(mint: string | undefined, count: number): object[] {
    return Array.from({ length: count }, () => {
      const signature = `stranger ${this.#strangers.size}`
      const signers = Array.from({ length: SIGNERS }, () => base58(this.#random.bytes(32)))
      const holders = mint === TOKEN ? [base58(this.#random.bytes(32))] : []
      this.#strangers.set(signature, { signers, holders })
      for (const one of [...signers, ...holders]) this.#existing.set(one, true)
      return { signature, slot: 1n, err: null }
    })
  }

  #transaction(signature: string): object | null {
    const stranger = this.#strangers.get(signature)
    if (stranger === undefined) {
      return this.#script.records.find((one) => one.signature === signature)?.transaction ?? null
    }
    const { signers: accountKeys, holders } = stranger
    const header = { numRequiredSignatures: accountKeys.length }
    const postTokenBalances = holders.map((owner) => ({ mint: TOKEN, owner }))
    const meta = { err: null, postTokenBalances }
    return { meta, transaction: { message: { accountKeys, header, instructions: [] } } }
  }
}

const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
const SYSVARS = 'Sysvar1111111111111111111111111111111111111' as Address
const SYSTEM = '11111111111111111111111111111111' as Address
const base58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)
const shown = (owner: Address, data: Buffer) => ({
  ...{ owner, lamports: 1n, executable: false, rentEpoch: 0n, space: 0n },
  data: [data.toString('base64'), 'base64'],
})
