import type { Command } from 'commander'
import type { Run } from './run.ts'
import { CliError } from '../cli-error.ts'
import {
  parseBps,
  parseInterval,
  parseLamports,
  parseSeconds,
} from '../commands/command-options.ts'
import type { TransferArguments, TransferTerms } from '../commands/request.ts'
import type { TransferOptions } from '../commands/transfer.ts'
import { EXIT } from '../exit-codes.ts'

const POLL_SECONDS = 3

const withTerms = (command: Command): Command =>
  command
    .option('--min-delay <seconds>', 'deliver no sooner after the deposit', parseSeconds)
    .option('--max-delay <seconds>', 'deliver no later after the deposit', parseSeconds)
    .option('--fee-bps <points>', "the partner's share in basis points", parseBps)
    .option('--fee-recipient <address>', "where the partner's share goes; registered beforehand")

const withPayment = (command: Command): Command =>
  withTerms(command)
    .option('-y, --yes', 'accept the quote without being asked')
    .option('--max-fee <amount>', 'decline where the fee is higher, in coins of the source')
    .option('--min-out <amount>', 'decline where less arrives, in coins of the destination')
    .option('--reference <text>', 'your own name for the order')
    .option('--no-wait', 'end as soon as the deposit is on the chain')
    .option('--interval <seconds>', 'between two looks', parseInterval, POLL_SECONDS)
    .option('--max-priority-fee <lamports>', 'more is refused unsigned', parseLamports)
    .option('--accept-program <sha256>', "take a program of another release, by its code's hash")
    .option(
      '--resume [transfer]',
      'go on with an unfinished transfer: its name, its file, or the only one',
    )

type Payment = TransferOptions & { readonly resume?: string | true }

/** `quote`, `send` and `swap`. */
export function registerTransfers(program: Command, run: Run): void {
  withTerms(
    program
      .command('quote <amount> <asset> <recipient>')
      .description('What a transfer would cost, and how private it would be.')
      .option('--to <asset>', 'deliver another asset: a swap')
      .option('--exact-out', 'the amount is what arrives, not what is paid')
      .option('--sender <address>', "the wallet that would sign (default: the keypair's)"),
  ).action((amount: string, from: string, recipient: string, options: QuoteOptions) =>
    run(async (context) => {
      const { runQuote } = await import('../commands/quote.ts')
      await runQuote(context, { amount, from, to: options.to ?? from, recipient }, options)
    }),
  )
  withPayment(
    program
      .command('send [amount] [asset] [recipient]')
      .description('Send an asset: quote, order, verify, sign, submit, and wait for the delivery.')
      .option('--exact-out', 'the amount is what arrives, not what is paid'),
  ).action((amount: string, asset: string, recipient: string, options: Payment) =>
    run((context) => pay(context, { amount, from: asset, to: asset, recipient }, options)),
  )
  withPayment(
    program
      .command('swap [amount] [from] [to] [recipient]')
      .description('Pay in one asset and deliver another.'),
  ).action((amount: string, from: string, to: string, recipient: string, options: Payment) =>
    run((context) => pay(context, { amount, from, to, recipient }, options)),
  )
}

type QuoteOptions = TransferTerms & { readonly to?: string; readonly sender?: string }
type Named = { readonly [Name in keyof TransferArguments]: string | undefined }

async function pay(context: Parameters<Parameters<Run>[0]>[0], named: Named, options: Payment) {
  const { runResume, runTransfer } = await import('../commands/transfer.ts')
  const { resume } = options
  if (resume !== undefined) {
    return runResume(context, resume === true ? undefined : resume, options)
  }
  return runTransfer(context, complete(named), options)
}

function complete(named: Named): TransferArguments {
  const { amount, from, to, recipient } = named
  if (amount !== undefined && from !== undefined && to !== undefined && recipient !== undefined) {
    return { amount, from, to, recipient }
  }
  const next = 'give amount, asset and recipient, or --resume; see --help'
  throw new CliError(EXIT.usage, 'ARGUMENT_MISSING', 'the transfer is not complete', next)
}
