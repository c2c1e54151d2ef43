import { wasmPoseidon } from '@sotto/poseidon'
import {
  amount,
  associatedTokenAddress,
  authorisationInstruction,
  addressBytes,
  ceilToGrid,
  depositInstruction,
  innerCommitment,
  leafOfNote,
  NATIVE_MINT,
  packOwner,
  termsDigest,
  unixSeconds,
  type Address,
  type Claim,
  type DepositTerms,
  type Note,
  type Point,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Instruction } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import { epochAt, topUpEpochAt } from '../../../src/domain/epoch.ts'
import {
  encodeTerms,
  type SealedTerms,
  decodeOutcome,
  type SettlementOutcome,
} from '../../../src/domain/order-secrets.ts'
import type { PayloadTerms } from '../../../src/ports/secrets.ts'
import { readClock } from '../../../src/adapters/chain/settlement/read-head.ts'
import { signTransaction } from '../../../src/adapters/chain/settlement/sign-transaction.ts'
import { sendTransaction } from '../../../src/adapters/chain/settlement/send-transaction.ts'
import { tokenPrograms } from '../../../src/adapters/chain/settlement/token-programs.ts'
import { insertOrder } from './insert-order.ts'
import { PROGRAM } from './localnet-process.ts'
import { waitUntil, type Stack } from './stack.ts'
import { makeWallet, type Wallet } from './wallet.ts'

export interface PlacedOrder {
  readonly terms: DepositTerms
  readonly note: Note
  readonly recipient: Address
  readonly epoch: number
  readonly sender: Wallet
}

export interface OrderWish {
  /** The mint of the paid asset; native SOL by default. */
  readonly mint?: Address
  /** For a swap, the asset and the amount that the sender pays. */
  readonly given?: { readonly mint: Address; readonly amountIn: bigint }
  readonly amountOut: bigint
  /** The settlement's fee, in the asset that is paid out. */
  readonly fee: bigint
  readonly recipient: Address
  readonly sealed?: Partial<SealedTerms>
  /** If set, the order is a top-up that opens a balance of this owner. The value of the balance includes the fee. */
  readonly owner?: Point
  /** The deadline. The default is some minutes from now. */
  readonly deadline?: UnixSeconds
  /** Seconds from the deadline to the expiry. */
  readonly lifeSeconds?: bigint
  readonly sender?: Wallet
  /** The note's secret. By default, it is computed from the epoch's key. */
  readonly nk?: bigint
  /** Gives tokens to a sender. By default, the local chain mints them. */
  readonly fund?: typeof mintTestTokens
}

const mintTestTokens = async (stack: Stack, to: Address, mint: Address, quantity: bigint) => {
  await stack.localnet.local('localnet_mintTokens', [to, mint, `${quantity}`])
}

/** The least number of seconds to the deadline. Deadlines are rounded up to the time grid. */
const DEADLINE_SECONDS = 1_200n
const WINDOW_SECONDS = 3_600n

/** Inserts an order's row as the service does, and makes a sender that has the order's input. */
export async function placeOrder(stack: Stack, wish: OrderWish): Promise<PlacedOrder> {
  const { mint = NATIVE_MINT, amountOut, fee, recipient } = wish
  const { mint: sourceMint, amountIn } = wish.given ?? { mint, amountIn: amountOut + fee }
  const { sender = makeWallet(), lifeSeconds = WINDOW_SECONDS } = wish
  await stack.airdrop(sender.address, 10_000_000_000n)
  if (sourceMint !== NATIVE_MINT) {
    await (wish.fund ?? mintTestTokens)(stack, sender.address, sourceMint, amountIn)
  }
  const orderId = new Uint8Array(randomBytes(16))
  const epoch = wish.owner === undefined ? epochAt(Date.now()) : topUpEpochAt(Date.now())
  const secrets = await stack.secrets.forNewOrder(epoch)
  const deadline = wish.deadline ?? ceilToGrid((await readClock(stack.rpc)) + DEADLINE_SECONDS)
  const expiry = unixSeconds(deadline + lifeSeconds)
  const { owner } = wish
  const claim: Claim =
    owner === undefined
      ? { kind: 'transfer', recipient, amountOut: amount(amountOut) }
      : { kind: 'balance', owner }
  const note: Note = {
    ...{ nk: wish.nk ?? secrets.noteKey(orderId), claim, sender: sender.address, mint },
    ...{ value: amount(amountOut + fee), deadline, expiry },
  }
  const terms: DepositTerms = {
    orderId,
    sender: sender.address,
    sourceMint,
    destinationMint: mint,
    amountIn: amount(amountIn),
    value: note.value,
    partnerFee: amount(0n),
    deadline,
    validUntil: deadline,
    inner: innerCommitment(wasmPoseidon, note),
    payload: secrets.sealPayload(orderId, payloadOf(claim, expiry)),
  }
  const sealed = {
    ...{ recipient, accountExisted: true, minDelaySeconds: 0, maxDelaySeconds: 0 },
    noteKey: wish.nk,
    owner: owner && Buffer.from(packOwner(owner)).toString('hex'),
  }
  const clear = encodeTerms({ ...sealed, ...wish.sealed })
  const leaf = leafOfNote(wasmPoseidon, stack.domain, note)
  const kept = { epoch, sealedTerms: secrets.seal(orderId, 'terms', clear) }
  await insertOrder(stack.database, terms, { ...kept, leaf, expiry, amountOut })
  return { terms, note, recipient, epoch, sender }
}

function payloadOf(claim: Claim, expiry: UnixSeconds): PayloadTerms {
  if (claim.kind === 'transfer') return { ...claim, expiry }
  return { kind: 'balance', owner: packOwner(claim.owner), expiry }
}

/** The two instructions of the order's deposit: the authorisation and the deposit. */
export async function depositInstructions(
  stack: Stack,
  { terms }: PlacedOrder,
): Promise<[Instruction, Instruction]> {
  const digest = termsDigest({ program: PROGRAM, domain: stack.domain }, terms)
  const signature = await stack.authoriser.sign(digest)
  const tokenProgram = await tokenPrograms(stack.rpc)(terms.sourceMint)
  const senderToken =
    tokenProgram === undefined
      ? undefined
      : await associatedTokenAddress(terms.sender, terms.sourceMint, tokenProgram)
  const at = { program: PROGRAM, tree: stack.tree, senderToken, tokenProgram }
  return [
    authorisationInstruction(addressBytes(stack.authoriser.address), signature, digest),
    await depositInstruction(at, terms),
  ]
}

/** Sends the order's deposit, signed by its sender, and waits until it is confirmed. Returns its signature. */
export async function deposit(stack: Stack, order: PlacedOrder): Promise<string> {
  return land(stack, order.sender, await depositInstructions(stack, order))
}

/** Sends a transaction and waits until it is confirmed. Returns its signature. */
export const land = (
  stack: Stack,
  sender: Wallet,
  instructions: readonly Instruction[],
): Promise<string> => landAll(stack, [sender], instructions)

/** Like `land`, for a transaction with several signers. The first signer pays the fee. */
export async function landAll(
  stack: Stack,
  signers: readonly [Wallet, ...Wallet[]],
  instructions: readonly Instruction[],
): Promise<string> {
  const signed = await signTransaction(stack.rpc, signers, instructions)
  await sendTransaction(stack.rpc, signed.wire)
  await waitUntil(async () => {
    const { value } = await stack.rpc.getSignatureStatuses([signed.signature as never]).send()
    const reached = value[0]?.confirmationStatus
    if (reached !== 'confirmed' && reached !== 'finalized') return false
    if (value[0]?.err) throw new Error('the transaction failed')
    return true
  })
  return signed.signature
}

export interface OrderState {
  readonly status: string
  readonly attempts: string[]
  readonly outcome: SettlementOutcome | undefined
}

export async function readState(stack: Stack, order: PlacedOrder): Promise<OrderState> {
  const { orderId } = order.terms
  const [row] = await stack.database.query<{ status: string }>(
    'SELECT status FROM orders WHERE id = $1',
    [orderId],
  )
  const secrets = await stack.secrets.read(order.epoch)
  if (secrets === undefined) return { status: row!.status, attempts: [], outcome: undefined }
  const pseudonym = secrets.pseudonym(orderId)
  const [side] = await stack.database.query<{ status: string; sealed_outcome: Uint8Array | null }>(
    'SELECT status, sealed_outcome FROM settlements WHERE pseudonym = $1',
    [pseudonym],
  )
  const attempts = await stack.database.query<{ kind: string; state: string }>(
    'SELECT kind, state FROM attempts WHERE pseudonym = $1 ORDER BY number',
    [pseudonym],
  )
  const sealed = side?.sealed_outcome
  return {
    status: side?.status ?? row!.status,
    attempts: attempts.map(({ kind, state }) => `${kind} ${state}`),
    outcome: sealed
      ? decodeOutcome(secrets.open(orderId, 'outcome', new Uint8Array(sealed)))
      : undefined,
  }
}

export async function waitForStatus(
  stack: Stack,
  order: PlacedOrder,
  status: string,
): Promise<OrderState> {
  await waitUntil(async () => (await readState(stack, order)).status === status)
  return readState(stack, order)
}

export async function lamportsOf({ rpc }: Pick<Stack, 'rpc'>, address: Address): Promise<bigint> {
  return (await rpc.getBalance(address, { commitment: 'finalized' }).send()).value
}

/** The balance of a wallet's associated account, in base units; undefined if the account doesn't exist. */
export async function tokensOf(
  { rpc }: Pick<Stack, 'rpc'>,
  wallet: Address,
  mint: Address,
): Promise<bigint | undefined> {
  const tokenProgram = await tokenPrograms(rpc)(mint)
  const account = await associatedTokenAddress(wallet, mint, tokenProgram)
  const { value } = await rpc
    .getAccountInfo(account, { encoding: 'base64', commitment: 'finalized' })
    .send()
  if (value === null) return undefined
  const balance = await rpc.getTokenAccountBalance(account, { commitment: 'finalized' }).send()
  return BigInt(balance.value.amount)
}
