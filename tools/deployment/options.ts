import { Command } from 'commander'

export interface Options {
  /** True to use the embedded chain. Then the run only shows that the commands match docs/deployment/cluster.md. */
  readonly embedded: boolean
  /** The embedded chain's rent in lamports per byte; undefined for Solana's usual rent. */
  readonly rent?: string
  /**
   * The path of the program file of Squads v4. If given, a multisig of this program is the admin and the upgrade
   * authority.
   */
  readonly squads?: string
}

const HELP = `
Any mainnet node serves the program Squads v4, which can't be upgraded any more:
  solana program dump SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf squads_v4.so --url mainnet-beta`

/** Parses the command line. After an error or `--help`, Commander prints the text and exits the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run deployment-test --')
    .description("Runs every command of docs/deployment/cluster.md on Agave's test validator.")
    .option('--embedded', 'use the embedded chain instead', false)
    .option('--rent <lamports>', "the embedded chain's rent per byte")
    .option(
      '--squads <file>',
      'the program file of Squads v4, whose multisig becomes admin and upgrade authority',
    )
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const options = command.opts<Options>()
  if (options.embedded && options.squads !== undefined) {
    command.error('error: --squads needs the validator, which --embedded does not start')
  }
  if (options.rent !== undefined && !options.embedded) {
    command.error('error: --rent needs --embedded, because the validator has its own rent')
  }
  return options
}
