import type { Command } from 'commander'
import type { Run } from './run.ts'
import { parseCount, parseInterval } from '../commands/command-options.ts'
import type { ListenOptions } from '../commands/listen.ts'
import type { StatusOptions } from '../commands/status.ts'

const POLL_SECONDS = 3
const ORDERS_SHOWN = 20

/** `status`, `orders`, `tokens`, `transfers`, `listen` and `doctor`. */
export function registerOrders(program: Command, run: Run): void {
  program
    .command('status <tracking-id>')
    .description('How an order stands.')
    .option('-w, --watch', 'go on until it is final; ends with 0 only where it was delivered')
    .option('--interval <seconds>', 'between two looks', parseInterval, POLL_SECONDS)
    .action((trackingId: string, options: StatusOptions) =>
      run(async (context) =>
        (await import('../commands/status.ts')).runStatus(context, trackingId, options),
      ),
    )
  program
    .command('orders')
    .description("The account's orders, newest first.")
    .option('--limit <count>', 'orders at most', parseCount, ORDERS_SHOWN)
    .option('--open', 'only those that are not final')
    .action((options: { limit: number; open?: boolean }) =>
      run(async (context) => (await import('../commands/orders.ts')).runOrders(context, options)),
    )
  program
    .command('tokens')
    .description('What can be sent and swapped, with limits and fees.')
    .action(() =>
      run(async (context) => (await import('../commands/tokens.ts')).runTokens(context)),
    )
  program
    .command('transfers')
    .description('What this machine has begun and not finished, for --resume.')
    .action(() =>
      run(async (context) => (await import('../commands/transfers.ts')).runTransfers(context)),
    )
  program
    .command('listen')
    .description('Tell of every change of orders, and forward each to a receiver of yours.')
    .option('--forward-to <url>', 'post each event there, as a webhook')
    .option('--order <tracking-id>', 'one order, to its end (default: all of the account)')
    .option('--interval <seconds>', 'between two looks', parseInterval, POLL_SECONDS)
    .action((options: ListenOptions) =>
      run(async (context) => (await import('../commands/listen.ts')).runListen(context, options)),
    )
  program
    .command('doctor')
    .description(
      'Look at settings, keys, clocks, service, chain, program and balance; say what to fix.',
    )
    .action(() =>
      run(async (context) => (await import('../commands/doctor.ts')).runDoctor(context)),
    )
}
