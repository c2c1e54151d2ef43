import { Command } from 'commander'

export interface Options {
  /** Uses the embedded chain, which only shows that commands and page agree. */
  readonly embedded: boolean
  /** The file of the program Squads v4. A multisig of it is then admin and upgrade authority. */
  readonly squads?: string
}

const HELP = `
Mainnet's Squads v4 can be had from any node, and can't be upgraded any more:
  solana program dump SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf squads_v4.so --url mainnet-beta`

/** Parses the command line. Commander prints errors and help, and exits. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run deployment-test --')
    .description("Runs every command of docs/deployment/cluster.md on Agave's test validator.")
    .option('--embedded', 'use the embedded chain instead', false)
    .option('--squads <file>', 'the program Squads v4: its multisig is admin and upgrade authority')
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const options = command.opts<Options>()
  if (options.embedded && options.squads !== undefined) {
    command.error('error: --squads needs the validator, and --embedded leaves it out')
  }
  return options
}
