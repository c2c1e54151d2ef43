import { Command } from 'commander'
import type { CliContext } from './context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { registerCompletion } from './register/register-completion.ts'
import { registerOrders } from './register/register-orders.ts'
import { registerRecover } from './register/register-recover.ts'
import { registerTransfers } from './register/register-transfers.ts'
import type { Run } from './register/run.ts'
import type { GlobalOptions } from './settings/settings.ts'

const HELP = `
Without settings it talks to what "npm start" runs on this machine, and needs the API key alone.

  SOTTO_URL             the service                    SOTTO_API_KEY       the API key, or
  SOTTO_RPC_URL         a Solana node of your choice   SOTTO_API_KEY_FILE  a file of mode 0600 with it
  SOTTO_PROGRAM_ID      the pool's program             SOTTO_KEYPAIR       keypair file of the sender
  SOTTO_WEBHOOK_SECRET  what "listen" signs with       SOTTO_HOME          tickets and unfinished transfers

Exit codes: 0 done, 1 failure, 2 usage, 3 configuration, 4 refused, 5 try later, 6 unsafe order,
7 not delivered, 8 declined, 9 can't be settled now, 10 unhealthy, 130 interrupted.`

/** The whole command line; nothing is read or loaded before a command runs. */
export function buildCli(
  open: (options: GlobalOptions) => CliContext,
  setExit: (code: ExitCode) => void,
) {
  const program = new Command('sotto')
    .description('Private token transfers on Solana: quote, send, swap, follow, recover.')
    .option('--url <url>', 'the service')
    .option('--rpc <url>', 'a Solana node of your own choice: it decides what is believed')
    .option('--program <address>', "the pool's program")
    .option(
      '--keypair <file>',
      "keypair in the Solana CLI's format (default: the Solana CLI's own)",
    )
    .option('--json', 'print results as JSON, one line each (default where output is no terminal)')
    .option('--table', 'print results as tables, also where output is no terminal')
    .addHelpText('after', HELP)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  const run: Run = async (work) => {
    setExit((await work(open(program.opts<GlobalOptions>()))) ?? EXIT.done)
  }
  registerTransfers(program, run)
  registerOrders(program, run)
  registerRecover(program, run)
  registerCompletion(program)
  return program
}
