import { parseAmount, type Amount } from '@sotto/protocol'
import { AccountRole, address, isAddress, type Address, type Instruction } from '@solana/kit'
import { z } from 'zod'
import type { SwapAsked, SwapMarket, SwapQuote, SwapRoute } from '../../ports/swap-market.ts'
import { askRemote, type RemoteAnswer } from '../remote/ask-remote.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { SecretSource } from '../remote/secret-source.ts'

export interface JupiterSwapOptions {
  readonly url: string
  readonly apiKey: SecretSource | undefined
}

const SERVICE = 'jupiter'
/**
 * Time limit of a request. It is longer than the limit for prices, because Jupiter needs longer for a route with its
 * instructions, and an operator can wait.
 */
const TIMEOUT_MS = 10_000
/** Maximum number of bytes of an answer. The instructions of a route take a few kilobytes. */
const BYTES_MAX = 262_144

const base58 = z.string().refine(isAddress)
const digits = z.string().regex(/^[0-9]{1,20}$/)
const Quote = z.object({
  inputMint: z.string(),
  inAmount: digits,
  outputMint: z.string(),
  outAmount: digits,
  swapMode: z.literal('ExactIn'),
})
const InstructionForm = z.object({
  programId: base58,
  accounts: z
    .array(z.object({ pubkey: base58, isSigner: z.boolean(), isWritable: z.boolean() }))
    .max(64),
  data: z.base64(),
})
type GivenInstruction = z.infer<typeof InstructionForm>
const many = z.array(InstructionForm).nullish()
const Route = z.object({
  tokenLedgerInstruction: InstructionForm.nullish(),
  setupInstructions: many,
  swapInstruction: InstructionForm,
  cleanupInstruction: InstructionForm.nullish(),
  otherInstructions: many,
  addressLookupTableAddresses: z.array(base58).max(16),
})

/** The advice for an operator, by the status of Jupiter's answer. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Jupiter knows no route for this pair and amount: lower --max-worth, raise --max-accounts, or trade elsewhere and use `inventory add`',
  401: 'set SOTTO_JUPITER_API_KEY',
  403: 'set SOTTO_JUPITER_API_KEY',
  429: 'wait a minute and run the command again',
}
const AGAIN = 'nothing was sent: run the command again'

/**
 * Swaps through Jupiter. First `GET /swap/v1/quote` returns a quote, then `POST /swap/v1/swap-instructions` takes this
 * quote.
 */
export function openJupiterSwaps({ url, apiKey }: JupiterSwapOptions): SwapMarket {
  const base = `${url.replace(/\/+$/, '')}/swap/v1`
  const ask = async (path: string, body?: object): Promise<RemoteAnswer> => {
    const key = apiKey === undefined ? {} : { 'x-api-key': await apiKey() }
    const sent =
      body === undefined
        ? { headers: key }
        : {
            method: 'POST',
            headers: { ...key, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
    const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX }
    const answer = await askRemote({ service: SERVICE, url: `${base}${path}`, ...sent, ...limits })
    if (answer.status === 200) return answer
    throw new RemoteError(SERVICE, answer.status, ADVICE[answer.status] ?? AGAIN)
  }
  return {
    quote: async (asked) => quoteOf(asked, await ask(`/quote?${queryOf(asked)}`)),
    findRoute: async ({ answer }, owner) => {
      // Jupiter must not wrap or unwrap SOL, because the service does that with its own instructions.
      const body = { userPublicKey: owner, wrapAndUnwrapSol: false, quoteResponse: answer }
      return routeOf((await ask('/swap-instructions', body)).text)
    },
  }
}

const queryOf = (asked: SwapAsked) =>
  new URLSearchParams({
    ...{ inputMint: asked.sell, outputMint: asked.buy, amount: `${asked.amountIn}` },
    ...{ slippageBps: `${asked.slippageBps}`, swapMode: 'ExactIn' },
    // A route through rare tokens fails more often, and may need token accounts that the admin doesn't have.
    ...{ restrictIntermediateTokens: 'true', maxAccounts: `${asked.accountsMax}` },
  })

function quoteOf(asked: SwapAsked, { text }: RemoteAnswer): SwapQuote {
  const quote = parseAnswer(SERVICE, Quote, text)
  const isAsked =
    quote.inputMint === asked.sell &&
    quote.outputMint === asked.buy &&
    quote.inAmount === `${asked.amountIn}`
  if (!isAsked) throw new RemoteError(SERVICE, 'another_question', AGAIN)
  return { asked, amountOut: amountOf(quote.outAmount), answer: JSON.parse(text) as unknown }
}

function amountOf(text: string): Amount {
  const parsed = parseAmount(text)
  if (parsed === undefined) throw new RemoteError(SERVICE, 'wrong_form', AGAIN)
  return parsed
}

function routeOf(text: string): SwapRoute {
  const route = parseAnswer(SERVICE, Route, text)
  const setup = route.setupInstructions ?? []
  const creates = setup.map(createdBy)
  const isMore =
    creates.includes(undefined) ||
    (route.otherInstructions ?? []).length > 0 ||
    [route.tokenLedgerInstruction, route.cleanupInstruction].some(
      (one) => (one ?? undefined) !== undefined,
    )
  return {
    swap: instructionOf(route.swapInstruction),
    creates: creates.filter((one) => one !== undefined),
    wantsMore: isMore,
    tables: route.addressLookupTableAddresses.map((one) => address(one)),
  }
}

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** Returns the token account that an instruction creates; undefined if the instruction does anything else. */
const createdBy = ({ programId, accounts }: GivenInstruction): Address | undefined =>
  programId === ASSOCIATED_TOKEN_PROGRAM ? accounts[1]?.pubkey : undefined

const instructionOf = ({ programId, accounts, data }: GivenInstruction): Instruction => ({
  programAddress: programId,
  accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey,
    role: isSigner
      ? isWritable
        ? AccountRole.WRITABLE_SIGNER
        : AccountRole.READONLY_SIGNER
      : isWritable
        ? AccountRole.WRITABLE
        : AccountRole.READONLY,
  })),
  data: new Uint8Array(Buffer.from(data, 'base64')),
})
