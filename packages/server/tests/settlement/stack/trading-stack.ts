import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { systemClock } from '../../../src/adapters/clock/system-clock.ts'
import { agreeingPrices } from '../../../src/adapters/prices/agreeing-prices.ts'
import type { ChainRpc } from '../../../src/adapters/rpc/rpc-client.ts'
import { openJupiterSwaps } from '../../../src/adapters/swaps/jupiter-swaps.ts'
import { createSettlementStore } from '../../../src/adapters/store/settlement/settlement-store.ts'
import type { InventoryParts } from '../../../src/operator/inventory/inventory-parts.ts'
import type { Prices } from '../../../src/ports/prices.ts'
import { startJupiter, type JupiterServer } from '../../remote/jupiter-server.ts'
import { PROGRAM } from './localnet-process.ts'
import { JUPITER_STAND_IN, makeMarketMaker } from './market-maker.ts'
import { FREE, runOperator } from './run-operator.ts'
import { startStack, type Stack } from './stack.ts'

/** The price of one SOL (10^9 base units) in base units of USDC: 150 USDC of 10^6 base units each. */
const SOL_IN_USDC = 150_000_000n
/** Base units of SOL for 10^9 base units of USDC, at the price `SOL_IN_USDC`. */
export const USDC_IN_SOL = 10n ** 18n / SOL_IN_USDC

/** The output of `inventory rebalance`. */
export interface Rebalanced {
  readonly trades: readonly {
    readonly sell: Address
    readonly amountIn: string
    readonly signature: string | null
    readonly added: string | null
  }[]
}

/** The balances that a trade could change, in base units. */
export interface Books {
  readonly sol: bigint
  readonly usdc: bigint
  /** The lamports of the admin's wallet. */
  readonly lamports: bigint
  readonly tokens: bigint
}

export interface TradingStack {
  readonly stack: Stack
  readonly jupiter: JupiterServer
  /** The market maker's account of an asset. */
  readonly makersAccount: (mint: Address) => Address
  /**
   * The operator's price sources, which a test may change. `level` is the first source's price of SOL, in
   * ten-thousandths of the price that the swap market uses. `skew` is the second source's price, in ten-thousandths of
   * the first source's price. `sources` is the reported number of sources.
   */
  readonly market: { level: bigint; skew: bigint; sources: number }
  /** The bounds of the price that transactions offer. */
  readonly limits: { ceiling: number }
  /** The speed of the clock that bounds how long a command waits for its transaction. */
  readonly pace: { factor: number }
  /** Functions that replace methods of the node, by the method's name. */
  readonly node: Map<unknown, (...params: never[]) => unknown>
  /** The nodes whose responses are compared. */
  readonly witnesses: ChainRpc[]
  /** Every result that a command printed, including the results of commands that failed. */
  readonly printed: object[]
  readonly parts: () => InventoryParts
  /** Resets everything that a test has changed. */
  readonly reset: () => void
  readonly operate: <Result>(...words: string[]) => Promise<Result>
  /** Runs trades worth at most 1,500 USDC, towards equal shares. */
  readonly rebalance: <Result = Rebalanced>(...more: string[]) => Promise<Result>
  readonly books: () => Promise<Books>
  readonly close: () => Promise<unknown>
}

/** Starts a stack whose inventory can be traded, with a market maker and a server that imitates Jupiter's API. */
export async function startTrading(): Promise<TradingStack> {
  const stack = await startStack(undefined, [JUPITER_STAND_IN])
  const { usdc } = stack
  const maker = await makeMarketMaker(stack)
  const decimalsOf = (mint: Address) => (mint === NATIVE_MINT ? 9 : 6)
  const jupiter = await startJupiter({ maker, decimalsOf })
  await createSettlementStore(stack.database, stack.secrets).openCursor(
    ...([PROGRAM, stack.domain, Date.now()] as const),
  )
  const market = { level: 10_000n, skew: 10_000n, sources: 2 }
  const parts = () => partsOf(stack, jupiter, market)
  const node: TradingStack['node'] = new Map()
  const rpc = new Proxy(stack.rpc, {
    get: (real, name) => node.get(name) ?? (Reflect.get(real, name) as unknown),
  })
  const printed: object[] = []
  const witnesses: ChainRpc[] = []
  const limits = { ...FREE }
  const pace = { factor: 1 }
  const { database } = stack
  const base = {
    rpc,
    witnesses,
    database,
    program: PROGRAM,
    clock: systemClock,
    steadyMs: () => performance.now() * pace.factor,
    prices: limits,
    printed,
  }
  const operate = <Result>(...words: string[]) =>
    runOperator<Result>({ ...base, market: parts() }, ...words)
  const reset = () => {
    jupiter.rates.set(`${NATIVE_MINT} ${usdc}`, SOL_IN_USDC)
    jupiter.rates.set(`${usdc} ${NATIVE_MINT}`, USDC_IN_SOL)
    jupiter.disturb = {}
    node.clear()
    limits.ceiling = FREE.ceiling
    pace.factor = 1
    printed.length = 0
    witnesses.length = 0
    Object.assign(market, { level: 10_000n, skew: 10_000n, sources: 2 })
  }
  reset()
  return {
    ...{ stack, jupiter, market, limits, pace, node, witnesses, printed, parts, operate, reset },
    rebalance: (...more) =>
      operate(
        ...['inventory', 'rebalance', '--admin', stack.adminFile, '--unit', usdc],
        ...['--max-worth', '1500000000', ...more],
      ),
    makersAccount: (mint) => maker.get(mint)!.account,
    books: () => readBooks(stack, operate),
    close: () => Promise.all([stack.close(), jupiter.close()]),
  }
}

function partsOf(
  { usdc }: Stack,
  jupiter: JupiterServer,
  market: TradingStack['market'],
): InventoryParts {
  const both = [
    priced(() => market.level),
    priced(() => (market.level * market.skew) / 10_000n),
  ].map((prices) => ({
    ...{ prices, ageMaxMs: undefined },
  }))
  return {
    targets: () => `${NATIVE_MINT}=50%,${usdc}=50%`,
    openPrices: async () => ({
      prices: agreeingPrices(both, 100, systemClock, () => undefined),
      sources: market.sources,
    }),
    openMarket: () => openJupiterSwaps({ url: jupiter.url, apiKey: undefined }),
  }
}

/**
 * Prices of SOL, and of tokens that are worth one USDC. `share` is the price of SOL, in ten-thousandths of the price
 * that the swap market uses.
 */
const priced = (share: () => bigint): Prices => ({
  readRate: async (source, destination) => {
    const inUsdc = (mint: Address) => (mint === NATIVE_MINT ? SOL_IN_USDC * share() : 10n ** 13n)
    const rate = { numerator: inUsdc(source), denominator: inUsdc(destination) }
    return { ...rate, asOfMs: Date.now() }
  },
})

async function readBooks(
  { rpc, admin, usdc }: Stack,
  operate: TradingStack['operate'],
): Promise<Books> {
  const words = ['inventory', 'plan', '--unit', usdc, '--max-worth', '0']
  const { assets } = await operate<{ assets: { mint: string; inventory: string }[] }>(...words)
  const of = (mint: string) => BigInt(assets.find((one) => one.mint === mint)?.inventory ?? '0')
  const commitment = 'confirmed'
  const { value: lamports } = await rpc.getBalance(admin.address, { commitment }).send()
  const { value: owned } = await rpc
    .getTokenAccountsByOwner(admin.address, { mint: usdc }, { commitment, encoding: 'jsonParsed' })
    .send()
  const tokens = BigInt(owned[0]?.account.data.parsed.info.tokenAmount.amount ?? '0')
  return { sol: of(NATIVE_MINT), usdc: of(usdc), lamports, tokens }
}
