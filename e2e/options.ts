import { isAddress } from '@solana/kit'
import { Command, InvalidArgumentError } from 'commander'

export interface Options {
  /** The URL of a node of an existing cluster. Without it, the run starts a chain or a validator. */
  readonly rpc?: string
  /** True to start Agave's test validator instead of the embedded chain. */
  readonly validator?: boolean
  /** The path of a file for the forms of the chain's answers; see record/forms.ts. */
  readonly record?: string
  readonly program?: string
  readonly payer?: string
  readonly data?: string
  readonly refund: boolean
  /** True to play only the scene with a pruned ledger: the validator prunes transactions that the service needs. */
  readonly pruned?: boolean
  /**
   * True to play only the scene with a congested node. The node drops most transactions that pay less than a certain
   * price, and this price changes.
   */
  readonly congested?: boolean
  readonly json: boolean
}

const parseUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new InvalidArgumentError('give the http:// or https:// URL of an RPC endpoint')
}

const parseProgram = (text: string): string => {
  if (isAddress(text)) return text
  throw new InvalidArgumentError('give the base58 address of the deployed program')
}

const HELP = `
With --rpc, first deploy the program on that cluster, with the wallet that pays:
  solana program deploy program/artefacts/sotto_program.so --url URL --keypair KEYPAIR
After that, the wallet still needs about 1.9 SOL. The run refuses mainnet.`

/** Parses the command line. After an error or `--help`, Commander prints the text and exits the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run e2e --')
    .description('Runs every kind of transfer on a real cluster and checks every balance.')
    .option(
      '--rpc <url>',
      'RPC endpoint of a cluster (default: starts an embedded chain)',
      parseUrl,
    )
    .option('--validator', "starts Agave's test validator (npm run validator) instead", false)
    .option('--program <address>', 'address of the program on that cluster', parseProgram)
    .option(
      '--payer <keypair>',
      "file of the keypair that pays for everything and is the program's upgrade authority",
    )
    .option(
      '--data <folder>',
      'folder of keys and database, which the next run with that program reuses',
    )
    .option('--refund', 'also waits 25 to 35 minutes for an order to expire and be refunded', false)
    .option(
      '--pruned',
      'with --validator: plays only the scene in which the validator prunes transactions',
      false,
    )
    .option(
      '--congested',
      'plays only the scene in which most cheap transactions of the service are dropped; takes up to 20 minutes',
      false,
    )
    .option('--record <file>', "write the forms of the chain's answers to a file")
    .option('--json', 'print one JSON report and nothing else', false)
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const options = command.opts<Options>()
  const missing = (['program', 'payer'] as const).filter((name) => options[name] === undefined)
  if (options.rpc !== undefined && missing.length > 0) {
    command.error(`error: --rpc also needs ${missing.map((name) => `--${name}`).join(' and ')}`)
  }
  if (options.rpc !== undefined && options.validator === true) {
    command.error(
      'error: --validator starts a cluster, and --rpc names one; give only one of these options',
    )
  }
  if (options.pruned === true && (options.validator !== true || options.refund)) {
    command.error('error: --pruned needs --validator, and excludes --refund')
  }
  if (options.congested === true && (options.pruned === true || options.refund)) {
    command.error('error: --congested excludes --pruned and --refund')
  }
  const foreign = (['program', 'payer'] as const).filter((name) => options[name] !== undefined)
  if (options.rpc === undefined && foreign.length > 0) {
    command.error(`error: ${foreign.map((name) => `--${name}`).join(' and ')} is only for --rpc`)
  }
  return options
}
