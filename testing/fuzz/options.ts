import { Command } from 'commander'
import { SEED_MAX, withSeed } from '../options/seed.ts'
import { whole } from '../options/whole.ts'

export interface Options {
  readonly requests: number
  readonly seed: number
  readonly json: boolean
}

const REQUESTS = 2_000

/** Parses the command line. For an error or a request for help, Commander prints a text and ends the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run fuzz --')
    .description(
      'Starts the service and sends it valid and broken requests made from its own OpenAPI document. Fails if any answer differs from the document.',
    )
    .option('--requests <n>', 'how many requests to send', whole(1, 10_000_000), REQUESTS)
    .option('--seed <n>', 'the seed of an earlier run (default: random)', whole(0, SEED_MAX))
    .option('--json', 'print one JSON report and nothing else', false)
  command.parse([...argv], { from: 'user' })
  return withSeed(command.opts<Omit<Options, 'seed'> & { seed?: number }>())
}
