import type { Command } from 'commander'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import { parseCount, parseInterval } from '../commands/command-options.ts'
import type { ListenOptions } from '../commands/listen.ts'
import type { StatusOptions } from '../commands/status.ts'

const POLL_SECONDS = 3
const ORDERS_SHOWN = 20

/** `status`, `orders`, `tokens`, `transfers`, `listen` and `doctor`. */
export function registerOrders(program: Command, run: Run): void {
  withExamples(
    program.command('status <tracking-id>'),
    'status <tracking-id>',
    'status <tracking-id> --watch',
  )
    .description('Show the status of an order.')
    .option(
      '-w, --watch',
      'follow the order until its status is final; exit code 0 only if it was delivered',
    )
    .option('--interval <seconds>', 'pause between two polls', parseInterval, POLL_SECONDS)
    .action((trackingId: string, options: StatusOptions) =>
      run(async (context) =>
        (await import('../commands/status.ts')).runStatus(context, trackingId, options),
      ),
    )
  withExamples(program.command('orders'), 'orders --open', 'orders --limit 100 --json')
    .description("List the account's orders, newest first.")
    .option('--limit <count>', 'list at most this many orders', parseCount, ORDERS_SHOWN)
    .option('--open', 'only orders that are not final')
    .action((options: { limit: number; open?: boolean }) =>
      run(async (context) => (await import('../commands/orders.ts')).runOrders(context, options)),
    )
  withExamples(program.command('tokens'), 'tokens')
    .description('List the assets that can be sent and swapped, with limits and fees.')
    .action(() =>
      run(async (context) => (await import('../commands/tokens.ts')).runTokens(context)),
    )
  registerTransferList(program, run)
  withExamples(
    program.command('listen'),
    'listen',
    'listen --forward-to http://127.0.0.1:3000/hook',
  )
    .description(
      'Print every status change of orders; with --forward-to, also post it to your receiver.',
    )
    .option('--forward-to <url>', 'post each event to this URL, as a webhook')
    .option(
      '--order <tracking-id>',
      'follow one order to its end (default: all orders of the account)',
    )
    .option('--interval <seconds>', 'pause between two polls', parseInterval, POLL_SECONDS)
    .action((options: ListenOptions) =>
      run(async (context) => (await import('../commands/listen.ts')).runListen(context, options)),
    )
  withExamples(program.command('doctor'), 'doctor')
    .description(
      'Check settings, keys, clocks, service, chain, program and wallet; say what to fix.',
    )
    .action(() =>
      run(async (context) => (await import('../commands/doctor.ts')).runDoctor(context)),
    )
}

function registerTransferList(program: Command, run: Run): void {
  const transfers = withExamples(
    program.command('transfers'),
    'transfers',
    'send --resume 1',
    'transfers drop 1',
  )
    .description('List the unfinished transfers of this machine, for --resume.')
    .action(() =>
      run(async (context) => (await import('../commands/transfers.ts')).runTransfers(context)),
    )
  withExamples(transfers.command('drop <transfer>'), 'transfers drop 1')
    .description('Abandon an unfinished transfer that your wallet has not signed.')
    .action((transfer: string) =>
      run(async (context) =>
        (await import('../commands/transfers.ts')).runTransfersDrop(context, transfer),
      ),
    )
}
