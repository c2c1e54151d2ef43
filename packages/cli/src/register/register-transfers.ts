import { Option, type Command } from 'commander'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import { CliError } from '../cli-error.ts'
import {
  parseBps,
  parseCrowd,
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
    .option(
      '--fast',
      'deliver at once; not private: anyone can link sender and recipient by the time',
    )
    .option('--min-delay <seconds>', 'deliver at least this long after the deposit', parseSeconds)
    .option('--max-delay <seconds>', 'deliver at most this long after the deposit', parseSeconds)
    .option(
      '--min-crowd <wallets>',
      'wait until this many wallets, yours included, could have paid: 2 to 32',
      parseCrowd,
    )
    .addOption(
      new Option(
        '--if-missed <end>',
        'if the crowd does not come: refund the money (default) or deliver anyway; a swap must use deliver',
      ).choices(['refund', 'deliver']),
    )
    .option('--fee-bps <points>', "the partner's share in basis points", parseBps)
    .option(
      '--fee-recipient <address>',
      "wallet that gets the partner's share; it must be registered",
    )

const withPayment = (command: Command): Command =>
  withTerms(command)
    .option('-y, --yes', 'accept the quote without being asked')
    .option('--max-fee <amount>', 'decline if the fee is higher; in coins of the source')
    .option('--min-out <amount>', 'decline if less arrives; in coins of the destination')
    .option('--reference <text>', 'your own name for the order')
    .option('--again', 'pay although an equal transfer is unfinished')
    .option('--no-wait', 'end as soon as the deposit is on the chain')
    .option('--interval <seconds>', 'pause between two polls', parseInterval, POLL_SECONDS)
    .option(
      '--max-priority-fee <lamports>',
      'refuse to sign if the priority fee is higher',
      parseLamports,
    )
    .option(
      '--accept-program <sha256>',
      'accept the program with this hash, which belongs to another release',
    )
    .option(
      '--resume [transfer]',
      'continue an unfinished transfer, by its name or its file; without a value, the only unfinished transfer',
    )

const withMode = (command: Command): Command =>
  command
    .option('--exact-in', 'the amount includes the fees, so less arrives')
    .option('--exact-out', 'exactly the amount arrives (default of a send)')

type Payment = TransferOptions & { readonly resume?: string | true }

/** `quote`, `send` and `swap`. */
export function registerTransfers(program: Command, run: Run): void {
  withTerms(
    withMode(
      withExamples(
        program.command('quote <amount> <asset> <recipient>'),
        'quote 1.5 SOL <recipient>',
        'quote 25 USDC <recipient> --exact-in',
        'quote 1 SOL <recipient> --to USDC',
      )
        .description(
          'Show the cost and the privacy of a transfer. The amount is what arrives in a send, and what is paid in a swap.',
        )
        .option('--to <asset>', 'deliver another asset: a swap'),
    ).option('--sender <address>', "the wallet that would sign (default: the keypair's)"),
  ).action((amount: string, from: string, recipient: string, options: QuoteOptions) =>
    run(async (context) => {
      const { runQuote } = await import('../commands/quote.ts')
      await runQuote(context, { amount, from, to: options.to ?? from, recipient }, options)
    }),
  )
  withPayment(
    withMode(
      withExamples(
        program.command('send [amount] [asset] [recipient]'),
        'send 1.5 SOL <recipient>',
        'send 25 USDC <recipient> --yes --max-fee 0.5',
        'send --resume',
      ).description(
        'Send an asset: quote, order, verify, sign, submit, and wait for the delivery. The recipient gets the amount; fees come on top.',
      ),
    ),
  ).action((amount: string, asset: string, recipient: string, options: Payment) =>
    run((context) => pay(context, { amount, from: asset, to: asset, recipient }, options)),
  )
  withPayment(
    withExamples(
      program.command('swap [amount] [from] [to] [recipient]'),
      'swap 1 SOL USDC <recipient>',
      'swap 1 SOL USDC <recipient> --yes --min-out 140',
    ).description('Pay in one asset and deliver another.'),
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
