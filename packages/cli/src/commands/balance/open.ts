import { decodeTicket, ownerOf, type Amount } from '@sotto/protocol'
import type { Balance, BalanceStore, StoredBalance, TopUp } from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import { rm } from 'node:fs/promises'
import { toBaseUnits } from '../../amounts/decimal.ts'
import { assetOnChain, listedAsset, showCoins } from '../../balances/balance-asset.ts'
import { readFacts, saveFacts } from '../../balances/balance-facts.ts'
import {
  balanceFactsFile,
  balanceFile,
  balanceStore,
  balanceTicketFile,
  openingTicketFile,
  usingBalances,
} from '../../balances/balance-files.ts'
import { assertNoOtherTicket } from '../../balances/kept-ticket.ts'
import { serviceOf } from '../../balances/service-of.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { EXIT } from '../../exit-codes.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import { isThisMachine } from '../../settings/settings.ts'
import { assertAskable } from '../approve.ts'
import { trackingIdOf } from '../recover.ts'
import { readAssets } from '../request.ts'
import { assertSender } from '../transfer.ts'
import { showOpened, showTopUp } from './show-top-up.ts'
import { topUpProgress } from './top-up-progress.ts'

export interface OpenOptions {
  readonly yes?: boolean
  /** The lifetime of the balance in days. The default is 30. */
  readonly days: number
  /** False with `--no-return`: the service then keeps no data with which it could return the rest. */
  readonly return: boolean
  readonly feeBps?: number
  readonly feeRecipient?: string
  readonly maxPriorityFee?: Amount
  readonly acceptProgram?: string
  /** Seconds between two polls. */
  readonly interval: number
}

/** Amount and asset. They may be omitted if the command finishes an interrupted top-up. */
export interface OpenArguments {
  /** The amount that the wallet pays, in whole coins. */
  readonly amount: string | undefined
  readonly asset: string | undefined
}

const DAY_SECONDS = 86_400

/**
 * `balance open`: makes one deposit with the wallet. After that, the balance can make any number of payments without
 * the wallet.
 */
export async function runBalanceOpen(
  context: CliContext,
  name: string,
  named: OpenArguments,
  options: OpenOptions,
): Promise<void> {
  const { home } = context.settings
  await usingBalances(home, [name], async () => {
    const { storedBalance } = await import('@sotto/sdk/balance')
    const store = balanceStore(home, name)
    const stored = await storedBalance(store)
    // The ticket's file is written only after the deposit has landed. A file that exists earlier belongs to another
    // balance.
    if (stored?.topUp !== null) await assertNoOtherTicket(home, name, undefined)
    const topUp = await topUpFor(context, name, named, options, stored)
    // Store these facts first, because money may move as soon as the secret is stored.
    if (topUp !== undefined) {
      const { return: isReturned, days } = options
      const { assetId, amount } = topUp
      await saveFacts(home, name, { isReturned, days, topUp: { assetId, amount, isShown: false } })
    }
    await open(context, name, store, topUp, options)
  })
}

/**
 * The terms of a new top-up; undefined if the command finishes an earlier top-up. An earlier top-up under this name is
 * replaced only if it was never ordered, or if it provably can't land any more. @throws CliError.
 */
async function topUpFor(
  context: CliContext,
  name: string,
  named: OpenArguments,
  options: OpenOptions,
  stored: StoredBalance | undefined,
): Promise<TopUp | undefined> {
  const isNamed = named.amount !== undefined || named.asset !== undefined
  const isFree = stored === undefined || stored.topUp === 'done'
  if (isFree || (stored.topUp === 'asked' && isNamed)) {
    return readTopUp(context, name, named, options, stored)
  }
  await assertSame(context, name, named, stored)
  return undefined
}

async function readTopUp(
  context: CliContext,
  name: string,
  { amount, asset }: OpenArguments,
  options: OpenOptions,
  stored: StoredBalance | undefined,
): Promise<TopUp> {
  if (amount === undefined || asset === undefined) {
    const next = `give amount and asset: sotto balance open ${name} 10 SOL`
    const message =
      stored === undefined
        ? `there is no unfinished top-up of a balance "${name}"`
        : `the earlier top-up of the balance "${name}" was never paid, and can't be paid any more`
    throw new CliError(EXIT.usage, 'ARGUMENT_MISSING', message, next)
  }
  assertAskable(context, options)
  const { source } = await readAssets(context, asset, asset)
  const { feeBps, feeRecipient } = options
  return {
    senderAddress: (await context.signer()).address,
    assetId: source.assetId,
    amount: `${toBaseUnits(amount, source.decimals, source.symbol)}`,
    balanceSeconds: options.days * DAY_SECONDS,
    autoReturn: options.return,
    ...(feeBps === undefined ? {} : { feeBps }),
    ...(feeRecipient === undefined ? {} : { feeRecipientAddress: feeRecipient }),
  }
}

/**
 * Checks that an interrupted top-up is continued with the same amount and asset, because a balance gets only one
 * top-up. If the top-up has landed but no command has shown the balance since, the user may repeat the command.
 * @throws CliError.
 */
async function assertSame(
  context: CliContext,
  name: string,
  { amount, asset }: OpenArguments,
  stored: StoredBalance,
): Promise<void> {
  if (amount === undefined || asset === undefined) return
  const { source } = await readAssets(context, asset, asset)
  const units = `${toBaseUnits(amount, source.decimals, source.symbol)}`
  const isOpen = stored.topUp === null
  const former = isOpen
    ? (await readFacts(context.settings.home, name)).topUp
    : { assetId: stored.assetId, amount: `${stored.value}`, isShown: false }
  const isSame = former?.amount === units && former.assetId === source.assetId
  if (isSame && !former.isShown) return
  // If the terms of the top-up are unknown, the user may be repeating the command that made it. So don't suggest
  // another name, because under another name the user would pay twice.
  if (isSame || former === undefined) throw toppedUp(name)
  const next = isOpen
    ? `see: sotto balance show ${name}; open another balance under another name`
    : `finish the earlier top-up first: sotto balance open ${name}; or choose another name`
  const message = `there is a balance "${name}" already, and a balance gets only one top-up`
  throw new CliError(EXIT.usage, 'BALANCE_EXISTS', message, next)
}

function toppedUp(name: string): CliError {
  const message = `the top-up of the balance "${name}" was made already, so there is nothing more to pay`
  const next = `to see it: sotto balance open ${name}`
  return new CliError(EXIT.usage, 'BALANCE_EXISTS', message, next)
}

async function open(
  context: CliContext,
  name: string,
  store: BalanceStore,
  topUp: TopUp | undefined,
  options: OpenOptions,
): Promise<void> {
  const { settings, signal } = context
  const { home, programId, rpcUrl } = settings
  const [{ openBalance, storedBalance }, { PROGRAM_SHA256 }] = await Promise.all([
    import('@sotto/sdk/balance'),
    import('@sotto/sdk/wallet'),
  ])
  const accepted = options.acceptProgram
  const fee = options.maxPriorityFee
  const isNew = (await storedBalance(store)) === undefined
  try {
    const balance = await openBalance({
      ...{ topUp, programId, signal, signer: await signerOf(context, store, topUp) },
      store: topUpProgress(store, context.output.progress),
      keep: async (ticket, { trackingId }) => {
        const { writePrivateFile } = await import('@sotto/sdk/node')
        await writePrivateFile(openingTicketFile(home, name, trackingId), `${ticket}\n`)
      },
      service: serviceOf(context),
      rpc: await context.rpc(),
      approve: (quoted) => approve(context, name, quoted, options),
      acceptedPrograms: [PROGRAM_SHA256, ...(accepted === undefined ? [] : [accepted])],
      isLocalChain: isThisMachine(rpcUrl),
      pollMs: options.interval * 1_000,
      ...(fee === undefined ? {} : { priorityFeeMaxLamports: fee }),
    })
    await showBalance(context, name, balance)
    // Delete the ticket file of the top-up, which an earlier run may have written. The balance's own ticket file now
    // gives access to the same money.
    const opened = trackingIdOf(decodeTicket(balance.ticket, ownerOf))
    await rm(openingTicketFile(home, name, opened), { force: true })
  } catch (error) {
    // Before a quote is accepted, no money depends on the new secret, so delete the files. An older secret stays.
    if (isNew && (await storedBalance(store))?.topUp === 'asked') {
      for (const file of [balanceFile(home, name), balanceFactsFile(home, name)]) {
        await rm(file, { force: true })
      }
    }
    throw error
  }
}

/**
 * The signer of the top-up; undefined if the deposit has already landed. @throws CliError if the configured keypair
 * isn't the keypair of the top-up's wallet.
 */
async function signerOf(context: CliContext, store: BalanceStore, topUp: TopUp | undefined) {
  const { storedBalance } = await import('@sotto/sdk/balance')
  const stored = await storedBalance(store)
  if (stored !== undefined && stored.topUp === null) return undefined
  const signer = await context.signer()
  if (stored !== undefined && topUp === undefined) assertSender(signer.address, { request: stored })
  return signer
}

async function approve(
  context: CliContext,
  name: string,
  quoted: QuoteResponse,
  options: OpenOptions,
): Promise<boolean> {
  if (options.yes === true) return true
  assertAskable(context, options)
  const { settings, output, signal } = context
  const asset = await listedAsset(context, quoted.quote.sourceAssetId)
  const { isReturned, days } = await readFacts(settings.home, name)
  const file = balanceFile(settings.home, name)
  output.note(showTopUp(quoted, asset, { name, file, days, isReturned }))
  return output.ask('Make this top-up?', signal)
}

async function showBalance(context: CliContext, name: string, balance: Balance): Promise<void> {
  const { output, settings } = context
  const { home } = settings
  const { writePrivateFile } = await import('@sotto/sdk/node')
  const ticketFile = balanceTicketFile(home, name)
  await writePrivateFile(ticketFile, `${balance.ticket}\n`)
  const facts = await readFacts(home, name)
  const { status, value, assetId, senderAddress, endsAt } = await balance.state()
  const asset = await assetOnChain(context, assetId)
  const shown = {
    ...{ kind: 'opened', balance: name, status, value, assetId, senderAddress },
    ...{ endsAt: isoOfSeconds(endsAt), autoReturn: facts.isReturned },
    ...{ file: balanceFile(home, name), ticket: ticketFile },
  }
  output.result(shown, () => showOpened(shown, showCoins(value, asset)))
  const isShown = (await output.written()) === undefined
  const { topUp } = facts
  if (isShown && topUp?.isShown === false) {
    await saveFacts(home, name, { ...facts, topUp: { ...topUp, isShown } })
  }
}
