import type { Address } from '@solana/kit'
import type { Chain } from './chain.ts'

/** The expected and the actual change of a wallet's balance in one asset, in base units. */
export interface Settlement {
  readonly wallet: string
  readonly asset: string
  readonly expected: bigint
  readonly actual: bigint
  readonly reasons: readonly string[]
}

interface Entry {
  readonly wallet: string
  readonly owner: Address
  readonly asset: string
  readonly mint: Address
  start: bigint
  expected: bigint
  readonly reasons: string[]
}

/** Collects the amounts that each wallet must pay and receive. At the end of the run, compares them with the chain. */
export class Ledger {
  readonly #entries: Entry[] = []
  readonly #chain: Chain
  readonly #symbols: ReadonlyMap<Address, string>

  constructor(chain: Chain, symbols: ReadonlyMap<Address, string>) {
    this.#chain = chain
    this.#symbols = symbols
  }

  /** Starts watching a wallet, from its current balances. */
  async watch(wallet: string, owner: Address): Promise<void> {
    for (const [mint, asset] of this.#symbols) {
      const start = await this.#chain.balance(owner, mint)
      this.#entries.push({ wallet, owner, asset, mint, start, expected: 0n, reasons: [] })
    }
  }

  /** Records that a watched wallet's balance must change by `delta` base units. */
  expect(owner: Address, mint: Address, delta: bigint, reason: string): void {
    const entry = this.#entries.find((one) => one.owner === owner && one.mint === mint)
    if (!entry) throw new Error('the ledger does not watch this wallet')
    entry.expected += delta
    if (delta !== 0n) entry.reasons.push(reason)
  }

  /** The watched wallets. */
  owners(): ReadonlySet<Address> {
    return new Set(this.#entries.map(({ owner }) => owner))
  }

  /** Returns all wallets with an expected or actual change of their balance. */
  async settle(): Promise<Settlement[]> {
    const all = await Promise.all(
      this.#entries.map(async ({ owner, mint, start, ...entry }) => ({
        ...entry,
        actual: (await this.#chain.balance(owner, mint)) - start,
      })),
    )
    return all.filter(({ expected, actual }) => expected !== 0n || actual !== 0n)
  }
}
