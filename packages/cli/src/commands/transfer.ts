import { NATIVE_MINT, type Address, amount, type Amount } from '@sotto/protocol'
import type { TransferRequest, TransferResult, TransferState } from '@sotto/sdk/wallet'
import { toBaseUnits, toDecimal } from '../amounts/decimal.ts'
import { readDecimals } from '../amounts/mint-decimals.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { showResult } from '../output/show-result.ts'
import { showStep } from '../output/show-step.ts'
import { isThisMachine } from '../settings/settings.ts'
import {
  createState,
  findSame,
  resumeState,
  UNSIGNED,
  type StateFile,
} from '../transfers/state-file.ts'
import { ticketFile, ticketFiles } from '../transfers/ticket-files.ts'
import { UnfinishedError } from '../transfers/unfinished-error.ts'
import { approver, assertAskable, type ApproveOptions } from './approve.ts'
import {
  readRequest,
  type NamedRequest,
  type TransferArguments,
  type TransferTerms,
} from './request.ts'

export interface TransferOptions extends TransferTerms, ApproveOptions {
  readonly reference?: string
  /** False with `--no-wait`: the command ends as soon as the deposit is on the chain. */
  readonly wait: boolean
  readonly maxPriorityFee?: Amount
  /** The code hash of an accepted program, if it isn't this release's program. */
  readonly acceptProgram?: string
  /** Seconds between two polls. */
  readonly interval: number
  /** True to begin a transfer although an equal one is unfinished. */
  readonly again?: boolean
}

/**
 * `send` and `swap`: run a whole transfer, from the quote to its end. Every step is saved, so that the transfer can
 * be resumed.
 */
export async function runTransfer(
  context: CliContext,
  wanted: TransferArguments,
  options: TransferOptions,
): Promise<ExitCode> {
  assertAskable(context, options)
  const signer = await context.signer()
  const request = await readRequest(context, wanted, options, signer.address)
  const { reference } = options
  const named = { ...request.request, ...(reference === undefined ? {} : { reference }) }
  if (options.again !== true) await assertNew(context, named)
  const minOut = await leastOf(context, request, options)
  const maxFee = mostOf(request, options)
  const { askedFor } = await import('@sotto/sdk/wallet')
  const state = askedFor({
    ...named,
    ...(minOut === undefined ? {} : { minOut: `${minOut}` }),
    ...(maxFee === undefined ? {} : { maxFee: `${maxFee}` }),
  })
  const file = await createState(context.settings.home, state)
  // Two equal commands that start together both pass the first check. Each has saved its file now, so at least one of
  // them sees the other.
  if (options.again !== true) {
    await assertNew(context, named, file.name).catch(async (error: unknown) => {
      await file.remove()
      file.release()
      throw error
    })
  }
  return goOn(context, { file, state, isNew: true }, options)
}

/**
 * `own` is the name of this command's own transfer.
 * @throws CliError TRANSFER_UNFINISHED if an equal transfer is unfinished: it may be paid, and the new transfer would
 * pay a second time.
 */
async function assertNew(
  { settings }: CliContext,
  request: TransferRequest,
  own?: string,
): Promise<void> {
  const same = await findSame(settings.home, request, own)
  if (same === undefined) return
  throw new CliError(
    EXIT.unfinished,
    'TRANSFER_UNFINISHED',
    `an equal transfer is unfinished, and it may be paid: ${same}`,
    `continue it with: sotto send --resume ${same}; to pay once more, add --again`,
  )
}

/** Maximum accepted fall of the price between the first quote and the order, in basis points. */
const SLIPPAGE_BPS = 100n

/**
 * The minimum that must arrive, in base units. This is `--min-out` if it is set. Otherwise, for a swap that a person
 * approves, this is the current quote's output minus the slippage. @throws CliError for a swap with `--yes` and without
 * `--min-out`.
 */
async function leastOf(
  { client, signal }: CliContext,
  { request, source, destination }: NamedRequest,
  { minOut, yes }: ApproveOptions,
): Promise<Amount | undefined> {
  if (minOut !== undefined) return toBaseUnits(minOut, destination.decimals, destination.symbol)
  if (source.assetId === destination.assetId) return undefined
  if (yes === true) {
    throw new CliError(
      EXIT.usage,
      'MIN_OUT_MISSING',
      'a swap with --yes needs --min-out: without it the service alone would set the price',
      `give --min-out in ${destination.symbol}; "sotto quote" with --to shows the rate`,
    )
  }
  const { quote } = await (await client()).quote(request, { signal })
  return amount((BigInt(quote.amountOut) * (10_000n - SLIPPAGE_BPS)) / 10_000n)
}

/** `--max-fee` in base units of the source. The transfer's state keeps it, so that `--resume` applies it too. */
const mostOf = ({ source }: NamedRequest, { maxFee }: ApproveOptions): Amount | undefined =>
  maxFee === undefined ? undefined : toBaseUnits(maxFee, source.decimals, source.symbol)

/** `--resume`: continues an interrupted transfer. The sender pays at most once. */
export async function runResume(
  context: CliContext,
  name: string | undefined,
  options: TransferOptions,
): Promise<ExitCode> {
  const kept = await resumeState(context.settings.home, name)
  return goOn(context, { ...kept, isNew: false }, options)
}

interface Kept {
  readonly file: StateFile
  readonly state: TransferState
  /** True for a transfer that this command began. */
  readonly isNew: boolean
}

async function goOn(
  context: CliContext,
  { file, state, isNew }: Kept,
  options: TransferOptions,
): Promise<ExitCode> {
  const { settings, output, signal } = context
  let step = state.step
  try {
    const signer = await context.signer()
    assertSender(signer.address, state)
    const { PROGRAM_SHA256, transfer } = await import('@sotto/sdk/wallet')
    const accepted = options.acceptProgram
    const fee = options.maxPriorityFee
    const rpc = await context.rpc()
    const result = await transfer({
      ...{ state, signal, signer, programId: settings.programId },
      save: async (next) => {
        await file.save(next)
        step = next.step
        if (next.step === 'deposited') output.progress.waiting(showStep(next), next.order.eta)
        else output.progress.doing(showStep(next))
      },
      service: await context.client(),
      rpc,
      findNote: async (recovery) => {
        const { noteFinder } = await import('@sotto/sdk/balance')
        const isLocalChain = isThisMachine(settings.rpcUrl)
        return noteFinder({ rpc, programId: settings.programId, isLocalChain })(recovery)
      },
      approve: approver(context, options, state.request),
      acceptedPrograms: [PROGRAM_SHA256, ...(accepted === undefined ? [] : [accepted])],
      isLocalChain: isThisMachine(settings.rpcUrl),
      tickets: ticketFiles(settings.home),
      until: options.wait ? 'final' : 'paid',
      pollMs: options.interval * 1_000,
      ...(fee === undefined ? {} : { priorityFeeMaxLamports: fee }),
    })
    await show(context, result)
    // If the transfer is only paid so far, keep its state, so that `--resume` can prove how it ends. If the outcome
    // couldn't be written, keep the state, so that `--resume` shows the outcome.
    const isShown = (await output.written()) === undefined
    if (result.outcome !== 'paid' && isShown) await file.remove()
    return EXIT_OF[result.outcome]
  } catch (error) {
    const isOver = !signal.aborted && (isNew || isRefused(error))
    const isDropped = step === 'asked' || (isOver && UNSIGNED.has(step))
    if (!isDropped) throw new UnfinishedError(file.name, error)
    await file.remove()
    throw error
  } finally {
    file.release()
  }
}

/**
 * True if the SDK refused the service's order. The user then pays in another way, so a later `--resume` must not pay
 * the same transfer a second time.
 */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.name === 'OrderRefusedError'

const EXIT_OF: Readonly<Record<TransferResult['outcome'], ExitCode>> = {
  ...{ delivered: EXIT.done, paid: EXIT.done },
  ...{ refunded: EXIT.undelivered, expired: EXIT.undelivered, not_paid: EXIT.undelivered },
  // Nothing shows whether the transfer was delivered.
  closed: EXIT.unsafe,
}

/** @throws CliError if the configured keypair isn't the sender's. */
export function assertSender(
  address: string,
  { request }: { readonly request: { readonly senderAddress: string } },
): void {
  if (request.senderAddress === address) return
  throw new CliError(
    EXIT.config,
    'KEYPAIR_OTHER',
    'the transfer was started with another keypair',
    `give the keypair of ${request.senderAddress} with --keypair`,
  )
}

async function show(context: CliContext, result: TransferResult): Promise<void> {
  const { settings, output } = context
  const ticket = ticketFile(settings.home, result.trackingId)
  const settlement = 'settlement' in result ? result.settlement : undefined
  const amount =
    settlement === undefined || output.isJson ? undefined : await amountOf(context, settlement)
  output.result({ ...result, ticket }, () => showResult(result, ticket, amount))
}

/**
 * The amount that a settlement paid, with the decimals from the chain. A token is named by its mint, because anyone
 * can choose any symbol.
 */
async function amountOf(
  context: CliContext,
  { assetId, amount }: { readonly assetId: string; readonly amount: string },
): Promise<string> {
  if (assetId === NATIVE_MINT) return `${toDecimal(amount, 9)} SOL`
  // Even if the node fails now, show that the transfer has ended.
  const decimals = await readDecimals(await context.rpc(), assetId as Address).catch(
    () => undefined,
  )
  if (decimals === undefined) return `${amount} base units of ${assetId}`
  return `${toDecimal(amount, decimals)} of ${assetId}`
}
