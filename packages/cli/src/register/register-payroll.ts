import type { Command } from 'commander'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import { collectAgain } from '../balances/again.ts'
import { parseInterval } from '../commands/command-options.ts'
import type { CheckOptions } from '../commands/payroll/check.ts'
import type { PayOptions } from '../commands/payroll/pay.ts'

const POLL_SECONDS = 3

const LIST = 'a CSV file whose first line names the columns recipient and amount'

const withList = (command: Command): Command =>
  command
    .argument('<list>', LIST)
    .option(
      '--from <balance>',
      'a balance that pays; repeatable (default: the only balance)',
      (name: string, before: readonly string[]) => [...before, name],
      [] as readonly string[],
    )
    .option(
      '--id <text>',
      "the list's id, under which each line is paid once (default: the file's name)",
    )

/** `payroll check | pay`: lists of payments from balances. */
export function registerPayroll(program: Command, run: Run): void {
  const payroll = withExamples(
    program.command('payroll'),
    'payroll check salaries-2026-11.csv',
    'payroll pay salaries-2026-11.csv --from salaries',
  ).description('Pay a list out of balances, each line once.')
  withList(withExamples(payroll.command('check'), 'payroll check salaries-2026-11.csv'))
    .description('Check every line of a list and show its cost. Pays nothing.')
    .action((list: string, options: CheckOptions) =>
      run(async (context) =>
        (await import('../commands/payroll/check.ts')).runPayrollCheck(context, list, options),
      ),
    )
  withList(
    withExamples(
      payroll.command('pay'),
      'payroll pay salaries-2026-11.csv',
      'payroll pay salaries-2026-11.csv --from a --from b --wait',
      'payroll pay salaries-2026-11.csv --yes --max-fee 0.01',
    ),
  )
    .description(
      'Pay every line of a list once.\nAfter an interruption, the same command continues.',
    )
    .option('-y, --yes', 'pay without being asked')
    .option('--wait', 'wait until a random moment, one to about seven hours after the top-up')
    .option('--max-fee <amount>', "the greatest accepted fee of one line; in the asset's coins")
    .option(
      '--again [value]',
      'pay a line although it may have been paid; the refusal names the value; repeatable',
      collectAgain,
    )
    .option('--receipts <file>', 'add the receipts to this file (default: in SOTTO_HOME)')
    .option('--interval <seconds>', 'pause between two polls', parseInterval, POLL_SECONDS)
    .action((list: string, options: PayOptions) =>
      run(async (context) =>
        (await import('../commands/payroll/pay.ts')).runPayrollPay(context, list, options),
      ),
    )
}
