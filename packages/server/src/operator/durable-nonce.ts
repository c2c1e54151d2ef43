import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { Address } from '@sotto/protocol'
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingDurableNonce,
  type Instruction,
  type Nonce,
  type Transaction,
} from '@solana/kit'
import { readAccounts } from '../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { OperatorError } from '../start/operator-error.ts'

/** Size of an initialised nonce account: u32 version, u32 state (1), authority, nonce, u64 fee. */
const NONCE_BYTES = 80
const [STATE_AT, AUTHORITY_AT, NONCE_AT, FEE_AT] = [4, 8, 40, 72] as const
const INITIALISED = 1
/** The first bytes of the system program's instruction that uses a nonce. */
const ADVANCE_NONCE = [4, 0, 0, 0]

/** The content of a durable nonce account. */
export interface DurableNonce {
  readonly account: Address
  /** The authority, which must sign every transaction that uses the nonce. */
  readonly authority: Address
  /** The nonce. A transaction with this value in place of a blockhash stays valid until the value changes. */
  readonly value: string
  /** The slot at which the account was read. */
  readonly slot: bigint
}

/**
 * Reads a nonce account: at `confirmed`, or at a finalized slot that isn't before `slotMin`.
 *
 * @throws OperatorError if the address has no nonce account.
 */
export async function readNonce(
  rpc: ChainRpc,
  account: Address,
  from?: { readonly slotMin: bigint; readonly abortSignal?: AbortSignal | undefined },
): Promise<DurableNonce> {
  const { slot, accounts } = await readAccounts(
    rpc,
    [account],
    from === undefined ? { commitment: 'confirmed' } : { commitment: 'finalized', ...from },
  )
  const [found] = accounts
  const { data = new Uint8Array(), owner } = found ?? {}
  const isNonce =
    owner === SYSTEM_PROGRAM_ADDRESS &&
    data.length === NONCE_BYTES &&
    data[STATE_AT] === INITIALISED
  if (!isNonce) {
    throw new OperatorError(
      `${account} is not a durable nonce account: make one with \`solana create-nonce-account\``,
    )
  }
  return {
    account,
    slot,
    authority: getAddressDecoder().decode(data, AUTHORITY_AT),
    value: getBase58Decoder().decode(data.subarray(NONCE_AT, FEE_AT)),
  }
}

/** Builds a version-0 transaction that stays valid until the nonce is used. Its first instruction uses the nonce. */
export function compileOnNonce(
  { account, authority, value }: Omit<DurableNonce, 'slot'>,
  feePayer: Address,
  instructions: readonly Instruction[],
) {
  const lifetime = {
    nonce: value as Nonce,
    nonceAccountAddress: account,
    nonceAuthorityAddress: authority,
  }
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingDurableNonce(lifetime, message),
      (message) => appendTransactionMessageInstructions([...instructions], message),
    ),
  )
}

/**
 * Returns the account whose nonce a transaction uses in its first instruction. Returns undefined for a transaction with
 * a blockhash. Returns `unknown` if the transaction has a version that isn't parsed here, or if the nonce account can't
 * be read from its message. A transaction with a nonce may land at any block height until the nonce is used.
 */
export function nonceAccountOf({ messageBytes }: Transaction): Address | 'unknown' | undefined {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  // The service makes no messages of other versions, so their instructions aren't parsed.
  if (!('instructions' in message)) return 'unknown'
  const { staticAccounts, instructions } = message
  const [first] = instructions
  if (first === undefined || staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM_ADDRESS) {
    return undefined
  }
  if (!ADVANCE_NONCE.every((byte, index) => first.data?.[index] === byte)) return undefined
  return staticAccounts[first.accountIndices?.[0] ?? -1] ?? 'unknown'
}

/** Returns the blockhash of a transaction, or the value of its nonce. */
export const lifetimeOf = ({ messageBytes }: Transaction): string =>
  getCompiledTransactionMessageDecoder().decode(messageBytes).lifetimeToken
