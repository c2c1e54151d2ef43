import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import type { CliContext } from './context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { registerBalance } from './register/register-balance.ts'
import { registerCompletion } from './register/register-completion.ts'
import { registerMcp } from './register/register-mcp.ts'
import { registerOrders } from './register/register-orders.ts'
import { registerPayroll } from './register/register-payroll.ts'
import { registerRecover } from './register/register-recover.ts'
import { registerTransfers } from './register/register-transfers.ts'
import type { Run } from './register/run.ts'
import type { GlobalOptions } from './settings/settings.ts'

const HELP = `
Examples:
  $ sotto doctor
  $ sotto quote 1.5 SOL <recipient>
  $ sotto send 1.5 SOL <recipient>
  $ sotto status <tracking-id> --watch
  $ sotto balance open salaries 100 SOL
  $ sotto payroll pay salaries-2026-11.csv

Without settings, sotto uses the service that "npm start" runs on this
machine, and needs only the API key.

  SOTTO_URL             the service
  SOTTO_API_KEY         the API key, or
  SOTTO_API_KEY_FILE    a file of mode 0600 that contains the key
  SOTTO_RPC_URL         a Solana node of your choice
  SOTTO_PROGRAM_ID      address of the service's program on Solana
  SOTTO_KEYPAIR         keypair file of the sender
  SOTTO_HOME            folder of tickets, balances and unfinished transfers
  SOTTO_WEBHOOK_SECRET  secret with which "listen" signs events

Exit codes: 0 done, 1 failure, 2 usage, 3 configuration, 4 refused,
5 try later, 6 unsafe order, 7 not delivered, 8 declined,
9 can't be settled now, 10 unhealthy, 11 unfinished, 130 interrupted.`

/** Builds the whole command line. Files are read and libraries are loaded only when a command runs. */
export function buildCli(
  open: (options: GlobalOptions) => CliContext,
  setExit: (code: ExitCode) => void,
) {
  const program = new Command('sotto')
    .description('Private token transfers on Solana: quote, send, swap, pay lists, recover.')
    .version(manifest.version, '-V, --version', 'print the version')
    .option('--url <url>', 'the service')
    .option('--rpc <url>', 'a Solana node of your own choice, whose answers are trusted')
    .option('--program <address>', "address of the service's program on Solana")
    .option(
      '--keypair <file>',
      "keypair in the Solana CLI's format (default: the Solana CLI's keypair)",
    )
    .option('--json', 'print each result as a line of JSON (default if not on a terminal)')
    .option('--table', 'print results as tables (default on a terminal)')
    .addHelpText('after', HELP)
    // Show commands without their arguments. Otherwise the list of commands would be wider than a terminal.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  const run: Run = async (work) => {
    setExit((await work(open(program.opts<GlobalOptions>()))) ?? EXIT.done)
  }
  registerTransfers(program, run)
  registerOrders(program, run)
  registerBalance(program, run)
  registerPayroll(program, run)
  registerRecover(program, run)
  registerMcp(program, run)
  registerCompletion(program)
  return program
}
