import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { associatedTokenAddress, type Address } from '@sotto/protocol'
import { startRemote, type Answered, type Asked, type RemoteServer } from './remote-server.ts'

/** Jupiter's aggregator, version 6. On a local chain, the fixture `sotto-caller.so` is loaded at this address. */
export const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address

/** An instruction in the form of Jupiter's JSON. */
export interface GivenInstruction {
  readonly programId: string
  readonly accounts: readonly {
    readonly pubkey: string
    readonly isSigner: boolean
    readonly isWritable: boolean
  }[]
  readonly data: string
}

export interface GivenRoute {
  readonly swapInstruction: GivenInstruction
  readonly setupInstructions: readonly GivenInstruction[]
  readonly otherInstructions: readonly GivenInstruction[]
  readonly cleanupInstruction: GivenInstruction | null
  readonly addressLookupTableAddresses: readonly string[]
}

/** One transfer of tokens within a swap. */
export interface Move {
  readonly from: Address
  readonly mint: Address
  readonly to: Address
  readonly units: bigint
}

/** Any instruction of the token program. */
export interface TokenCall {
  readonly accounts: GivenInstruction['accounts']
  readonly data: Uint8Array
}

/** A requested swap. A test may change how the market executes the swap. */
export interface Swap {
  readonly owner: Address
  readonly sell: Address
  readonly buy: Address
  readonly units: bigint
  readonly quoted: bigint
}

export interface JupiterServer extends RemoteServer {
  /** Base units of the output for 10^9 base units of the input, by `<sell> <buy>`. */
  readonly rates: Map<string, bigint>
  /** Changes that a test makes to the next answers. */
  disturb: {
    /** Pays this much instead of the quoted amount. */
    pays?: (swap: Swap) => bigint
    /** Changes the quote's members. */
    quote?: object
    moves?: (moves: Move[], swap: Swap) => Move[]
    /** Calls of the token program that follow the swap's own calls. */
    calls?: (swap: Swap) => TokenCall[] | Promise<TokenCall[]>
    route?: (route: GivenRoute, swap: Swap) => GivenRoute | Promise<GivenRoute>
  }
}

/**
 * A token account of the market maker. Its owner is its own address, and the program at Jupiter's address signs for it
 * with this bump.
 */
export interface MakersAccount {
  readonly account: Address
  readonly bump: number
}

export interface MarketMaker {
  /** The market maker's accounts, by mint. */
  readonly maker: ReadonlyMap<Address, MakersAccount>
  readonly decimalsOf: (mint: Address) => number
}

const NO_ROUTE = {
  status: 400,
  json: { error: 'Could not find any route', errorCode: 'COULD_NOT_FIND_ANY_ROUTE' },
}

export const meta = (pubkey: string, isWritable = true, isSigner = false) => ({
  ...{ pubkey, isSigner, isWritable },
})

/** The tag of a batch of instructions of the token program. */
const BATCH = 255
/** The flag that makes the program at Jupiter's address sign for the first account of its call. */
export const SIGNS = 2

/**
 * An instruction with which the program at Jupiter's address makes these calls of the token program. The program signs
 * for the first account with this bump.
 */
function instructionFor(calls: readonly TokenCall[], bump: number): GivenInstruction {
  const parts = calls.map(({ accounts, data }) =>
    Buffer.concat([Uint8Array.of(accounts.length, data.length), data]),
  )
  return {
    programId: JUPITER,
    accounts: [meta(TOKEN_PROGRAM_ADDRESS, false), ...calls.flatMap(({ accounts }) => accounts)],
    data: Buffer.concat([Uint8Array.of(SIGNS, bump, BATCH), ...parts]).toString('base64'),
  }
}

function callOf({ from, mint, to, units }: Move, trader: Address, decimals: number): TokenCall {
  const data = Buffer.alloc(10)
  data[0] = 12
  data.writeBigUInt64LE(units, 1)
  data[9] = decimals
  return { accounts: [meta(from), meta(mint, false), meta(to), meta(trader, false, true)], data }
}

/** Starts a server with Jupiter's swap API. Its swaps move the tokens of a market maker on the local chain. */
export async function startJupiter({ maker, decimalsOf }: MarketMaker): Promise<JupiterServer> {
  const rates = new Map<string, bigint>()
  const swaps = new Map<string, Omit<Swap, 'owner'>>()
  const quote = ({ url }: Asked): Answered => {
    const asked = Object.fromEntries(url.searchParams) as Record<string, string>
    const { inputMint = '', outputMint = '', amount = '', slippageBps = '', swapMode } = asked
    const rate = rates.get(`${inputMint} ${outputMint}`)
    if (rate === undefined || swapMode !== 'ExactIn') return NO_ROUTE
    const quoted = (BigInt(amount) * rate) / 10n ** 9n
    const json = {
      ...{ inputMint, inAmount: amount, outputMint, outAmount: `${quoted}`, swapMode },
      ...{ slippageBps: JSON.parse(slippageBps) as number, platformFee: null },
      ...{ otherAmountThreshold: `${quoted}`, priceImpactPct: '0.0001', timeTaken: 0.01 },
      ...{ routePlan: [{ percent: 100 }], contextSlot: swaps.size + 1, ...server.disturb.quote },
    }
    const both = { sell: inputMint as Address, buy: outputMint as Address }
    swaps.set(`${json.contextSlot}`, { ...both, units: BigInt(amount), quoted })
    return { status: 200, json }
  }
  const route = async ({ body }: Asked): Promise<Answered> => {
    const { userPublicKey, quoteResponse, wrapAndUnwrapSol } = JSON.parse(body) as {
      readonly userPublicKey: Address
      readonly quoteResponse: { readonly contextSlot: number }
      readonly wrapAndUnwrapSol: boolean
    }
    const known = swaps.get(`${quoteResponse.contextSlot}`)
    if (known === undefined || wrapAndUnwrapSol) return { status: 422 }
    const swap = { ...known, owner: userPublicKey }
    return { status: 200, json: await routeFor(swap) }
  }
  const routeFor = async (swap: Swap): Promise<GivenRoute> => {
    const { owner, sell, buy, units, quoted } = swap
    const [taking, paying] = [maker.get(sell), maker.get(buy)]
    if (taking === undefined || paying === undefined) throw new Error('the maker lacks an account')
    const paid = server.disturb.pays?.(swap) ?? quoted
    const [sold, bought] = await Promise.all(
      [sell, buy].map((one) => associatedTokenAddress(owner, one)),
    )
    const moves = [
      { from: sold!, mint: sell, to: taking.account, units },
      { from: paying.account, mint: buy, to: bought!, units: paid },
    ]
    const made = server.disturb.moves?.(moves, swap) ?? moves
    // The payment is the first call, because the program signs for the first account.
    const calls = made.toReversed().map((move) => {
      const call = callOf(move, owner, decimalsOf(move.mint))
      if (move.from !== paying.account) return call
      return { ...call, accounts: [...call.accounts.slice(0, 3), meta(move.from, false)] }
    })
    const more = (await server.disturb.calls?.(swap)) ?? []
    const swapInstruction = instructionFor([...calls, ...more], paying.bump)
    const whole = {
      ...{ swapInstruction, setupInstructions: [], otherInstructions: [] },
      ...{ cleanupInstruction: null, addressLookupTableAddresses: [] },
    }
    return (await server.disturb.route?.(whole, swap)) ?? whole
  }
  const remote = await startRemote((asked) => {
    if (asked.url.pathname === '/swap/v1/quote') return quote(asked)
    if (asked.url.pathname === '/swap/v1/swap-instructions') return route(asked)
    return { status: 404 }
  })
  const server: JupiterServer = Object.assign(remote, { rates, disturb: {} })
  return server
}
