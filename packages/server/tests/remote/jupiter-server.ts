import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { associatedTokenAddress, type Address } from '@sotto/protocol'
import { startRemote, type Answered, type Asked, type RemoteServer } from './remote-server.ts'

/** Jupiter's aggregator, version 6. On a local chain, the fixture `sotto-caller.so` is loaded at this address. */
export const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address

/** An instruction in Jupiter's JSON. */
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

/** A swap that was asked for; a test may change what the market makes of it. */
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
  /** Changes of the next answers. */
  disturb: {
    /** Pays this much instead of what was quoted. */
    pays?: (swap: Swap) => bigint
    /** Changes the quote's members. */
    quote?: object
    moves?: (moves: Move[], swap: Swap) => Move[]
    /** Calls of the token program after the swap's own. */
    calls?: (swap: Swap) => TokenCall[] | Promise<TokenCall[]>
    route?: (route: GivenRoute, swap: Swap) => GivenRoute | Promise<GivenRoute>
  }
}

export interface MarketMaker {
  readonly maker: Address
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

/**
 * Calls of the token program, by the program at Jupiter's address. The maker has approved the owner for its accounts, so that
 * the owner's signature is enough, as it is for the pools that Jupiter uses.
 */
function instructionFor(calls: readonly TokenCall[]): GivenInstruction {
  const parts = calls.map(({ accounts, data }) =>
    Buffer.concat([Uint8Array.of(accounts.length, data.length), data]),
  )
  return {
    programId: JUPITER,
    accounts: [meta(TOKEN_PROGRAM_ADDRESS, false), ...calls.flatMap(({ accounts }) => accounts)],
    data: Buffer.concat([Uint8Array.of(0, 0, BATCH), ...parts]).toString('base64'),
  }
}

function callOf({ from, mint, to, units }: Move, owner: Address, decimals: number): TokenCall {
  const data = Buffer.alloc(10)
  data[0] = 12
  data.writeBigUInt64LE(units, 1)
  data[9] = decimals
  return { accounts: [meta(from), meta(mint, false), meta(to), meta(owner, false, true)], data }
}

/** A server that speaks Jupiter's swap interface. Its swaps move the tokens of a market maker on the local chain. */
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
    const at = (wallet: Address, mint: Address) => associatedTokenAddress(wallet, mint)
    const paid = server.disturb.pays?.(swap) ?? quoted
    const moves = [
      { from: await at(owner, sell), mint: sell, to: await at(maker, sell), units },
      { from: await at(maker, buy), mint: buy, to: await at(owner, buy), units: paid },
    ]
    const made = server.disturb.moves?.(moves, swap) ?? moves
    const swapInstruction = instructionFor([
      ...made.map((move) => callOf(move, owner, decimalsOf(move.mint))),
      ...((await server.disturb.calls?.(swap)) ?? []),
    ])
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
