import { Command } from 'commander'
import { SEED_MAX, withSeed } from '../options/seed.ts'
import { whole } from '../options/whole.ts'

export interface Options {
  readonly orders: number
  readonly seed: number
  /** The percentage of the service's requests to its node that fail. */
  readonly faults: number
  readonly kills: boolean
  /** Uses Agave's test validator instead of the local chain. */
  readonly validator: boolean
  readonly json: boolean
}

const ORDERS = 40
const FAULTS = 20
const FAULTS_MAX = 60

const HELP = `
An API, two workers, PostgreSQL and the local chain run as processes. Orders of every kind are placed,
paid, refreshed, abandoned, or left until they are refunded. Meanwhile, the service's node fails, hangs, loses answers
and lags, and processes are killed. At the same time, attackers try to get free options, leave orders unpaid, collect
rent again and again, and make themselves unpayable. In the end, every order must be final, and the balance of every
wallet and vault must be exact to the base unit. Otherwise, the run exits with 1.`

/** Parses the command line. For an error or a request for help, Commander prints a text and ends the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run soak --')
    .description('Runs many orders and attacks while nodes fail and processes are killed.')
    .option('--orders <n>', 'how many orders to make', whole(10, 100_000), ORDERS)
    .option(
      '--seed <n>',
      'the seed of an earlier run, for the same orders and choices (default: random)',
      whole(0, SEED_MAX),
    )
    .option(
      '--faults <percent>',
      "the percentage of the service's requests to its node that fail",
      whole(0, FAULTS_MAX),
      FAULTS,
    )
    .option('--no-kills', 'kill no process, and watch memory instead')
    .option(
      '--validator',
      "use Agave's test validator (npm run validator); only for orders that end without advancing the time",
      false,
    )
    .option('--json', 'print one JSON summary and nothing else', false)
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  return withSeed(command.opts<Omit<Options, 'seed'> & { seed?: number }>())
}
