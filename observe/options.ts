import { Command, InvalidArgumentError } from 'commander'
import { isAddress, type Address } from '@sotto/protocol'
import { SEED_MAX, withSeed } from '../testing/options/seed.ts'
import { whole } from '../testing/options/whole.ts'

export interface Options {
  /** The URL of the node whose chain is observed; undefined to run a load instead. */
  readonly rpc?: string
  readonly program?: Address
  /** The file with the true links of the chain at `rpc`, to score the observer. */
  readonly ledger?: string
  readonly selfTest: boolean
  /** True to write the load's history directly instead of running the service. */
  readonly script: boolean
  /** The percentage of orders that the observer knows because it made them; only with `script`. */
  readonly insider: number
  readonly mix?: string
  readonly payments: number
  readonly speed: number
  readonly seed: number
  /** True to sample less, so that long histories take less time. */
  readonly quick: boolean
  readonly json: boolean
}

const PAYMENTS = 60
const SPEED = 60

const HELP = `
Links payments with deposits, as every reader of the chain can. With --rpc and --program, the command observes a pool
of any cluster. Without --rpc, the command starts chain and service on this machine, runs a load of the given mix, and
observes this chain. Then it compares the result with the true links, which the observer itself never reads. With
--script, no service runs. Instead, the command writes transactions like the service's, and serves them over JSON-RPC.
This takes seconds instead of minutes.
Examples:
  npm run observe
  npm run observe -- --payments 240 --mix mix.json
  npm run observe -- --script --payments 500
  npm run observe -- --rpc https://node.example --program ADDRESS
  npm run observe -- --self-test
docs/privacy.md describes the model, the mix and the figures. The exit code is 1 if a leak was found. With --self-test,
the exit code is 1 if a planted leak wasn't found, or if a finding doesn't describe a planted leak.`

function address(text: string): Address {
  if (isAddress(text)) return text
  throw new InvalidArgumentError('give an address in base58')
}

/** Parses the command line. After an error or `--help`, commander prints the text and exits the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run observe --')
    .description('Measures what the public chain reveals about who pays whom.')
    .option('--rpc <url>', 'observe the chain of this node')
    .option('--program <address>', 'the program whose pool is observed', address)
    .option('--ledger <file>', 'the true links of the observed chain, to score the result')
    .option('--self-test', 'plant eleven leaks, one at a time, and find each', false)
    .option('--script', 'write the history of a load instead of running the service', false)
    .option(
      '--insider <percent>',
      'the observer is a partner that made this share of the orders; with --script',
      whole(0, 99),
      0,
    )
    .option('--mix <file>', 'file that describes the load (default: see docs/privacy.md)')
    .option('--payments <n>', 'how many payments the load makes', whole(1, 100_000), PAYMENTS)
    .option(
      '--speed <n>',
      'how many times faster time passes while no payment is in progress',
      whole(1, 600),
      SPEED,
    )
    .option('--seed <n>', 'the seed of an earlier run (default: random)', whole(0, SEED_MAX))
    .option('--quick', 'sample one run of 60 sweeps instead of four runs of 260', false)
    .option('--json', 'print one JSON object and nothing else', false)
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const given = command.opts<Omit<Options, 'seed'> & { seed?: number }>()
  if ((given.rpc === undefined) !== (given.program === undefined)) {
    command.error('error: --rpc and --program belong together')
  }
  if (given.insider > 0 && !given.script) {
    command.error(
      'error: --insider needs --script, because only the ledger of a script has the true orders',
    )
  }
  if (given.ledger !== undefined && given.rpc === undefined) {
    command.error('error: --ledger needs --rpc')
  }
  return withSeed(given)
}
