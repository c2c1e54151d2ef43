import type { Command } from 'commander'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import { collectAgain } from '../balances/again.ts'
import { parseBps, parseDays, parseInterval, parseLamports } from '../commands/command-options.ts'
import type { CloseOptions } from '../commands/balance/close.ts'
import type { OpenOptions } from '../commands/balance/open.ts'
import type { SendOptions } from '../commands/balance/send.ts'

const POLL_SECONDS = 3
const DAYS = 30

/** `balance open | send | list | show | close | restore`. */
export function registerBalance(program: Command, run: Run): void {
  const balance = withExamples(
    program.command('balance'),
    'balance open salaries 100 SOL',
    'balance send salaries 1.5 <recipient> --wait',
    'balance show salaries',
    'balance close salaries',
  ).description('Pay in once, and pay out many times without the wallet.')
  registerOpen(balance, run)
  registerSend(balance, run)
  withExamples(balance.command('list'), 'balance list')
    .description("List this machine's balances and the value left in each. Changes nothing.")
    .action(() =>
      run(async (context) => (await import('../commands/balance/list.ts')).runBalanceList(context)),
    )
  withExamples(balance.command('show'), 'balance show salaries')
    .argument('<name>', 'the balance')
    .description(
      "Show a balance's remaining value, its end, its payments and its files. Changes nothing.",
    )
    .action((name: string) =>
      run(async (context) =>
        (await import('../commands/balance/show.ts')).runBalanceShow(context, name),
      ),
    )
  withExamples(balance.command('close'), 'balance close salaries')
    .argument('<name>', 'the balance')
    .description('Pay the rest, minus one fee, to the wallet that made the top-up.')
    .option('--all', 'return all that is left; anyone can then identify the payments by their sum')
    .option('-y, --yes', 'accept the quote without being asked')
    .option('--max-fee <amount>', "decline if the fee is higher; in the asset's coins")
    .option('--interval <seconds>', 'pause between two polls', parseInterval, POLL_SECONDS)
    .action((name: string, options: CloseOptions) =>
      run(async (context) =>
        (await import('../commands/balance/close.ts')).runBalanceClose(context, name, options),
      ),
    )
  withExamples(balance.command('restore'), 'balance restore salaries salaries.ticket')
    .argument('<name>', 'a new name')
    .argument('<ticket>', 'the file of any ticket of the balance, or - for standard input')
    .description('Restore a balance from a ticket and the chain, without the service.')
    .action((name: string, ticket: string) =>
      run(async (context) =>
        (await import('../commands/balance/restore.ts')).runBalanceRestore(context, name, ticket),
      ),
    )
}

function registerOpen(balance: Command, run: Run): void {
  withExamples(
    balance.command('open'),
    'balance open salaries 100 SOL',
    'balance open salaries 2500 USDC --days 7 --yes',
    'balance open salaries',
  )
    .argument('<name>', 'a name of your choice')
    .argument('[amount]', 'the amount that the wallet pays, in whole coins')
    .argument('[asset]', 'the asset')
    .description(
      'Open a balance with one deposit from the wallet.\nWithout an amount, finish a top-up that was interrupted.',
    )
    .option('--days <days>', 'lifetime of the balance in days, from 1 to 30', parseDays, DAYS)
    .option('--no-return', 'let the service keep no data with which it could return the rest')
    .option('--fee-bps <points>', "the partner's share in basis points", parseBps)
    .option(
      '--fee-recipient <address>',
      "wallet that gets the partner's share; it must be registered",
    )
    .option('-y, --yes', 'accept the quote without being asked')
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
    .action(
      (name: string, amount: string | undefined, asset: string | undefined, options: OpenOptions) =>
        run(async (context) => {
          const { runBalanceOpen } = await import('../commands/balance/open.ts')
          await runBalanceOpen(context, name, { amount, asset }, options)
        }),
    )
}

function registerSend(balance: Command, run: Run): void {
  withExamples(
    balance.command('send'),
    'balance send salaries 1.5 <recipient>',
    'balance send salaries 1.5 <recipient> --wait --yes --max-fee 0.01',
    'balance send salaries 1.5 <recipient> --key invoice-7 --yes',
  )
    .argument('<name>', 'the balance')
    .argument('<amount>', 'the amount that arrives, in whole coins')
    .argument('<recipient>', 'the wallet that is paid')
    .description('Pay out of a balance, without the wallet.')
    .option('--exact-in', 'the amount includes the fee')
    .option('--wait', 'wait until a random moment, one to about seven hours after the top-up')
    .option('--key <text>', 'your own name for this payment: it is made at most once')
    .option(
      '--again [transaction]',
      'pay although this transaction may have made the same payment; repeatable',
      collectAgain,
    )
    .option('-y, --yes', 'accept the quote without being asked')
    .option('--max-fee <amount>', "decline if the fee is higher; in the asset's coins")
    .option('--interval <seconds>', 'pause between two polls', parseInterval, POLL_SECONDS)
    .action((name: string, amount: string, recipient: string, options: SendOptions) =>
      run(async (context) => {
        const { runBalanceSend } = await import('../commands/balance/send.ts')
        await runBalanceSend(context, { name, amount, recipient }, options)
      }),
    )
}
