import { Argument, Command } from 'commander'
import { SUITES } from './suites.ts'

export interface Options {
  /** Names of the suites to run, in order. */
  readonly suites: readonly string[]
  readonly json: boolean
  readonly quick: boolean
  /** Measure only what has this in its name. */
  readonly only: string
}

const HELP = `
Prints one line for each measurement, as a table or with --json as one JSON array of
{ name, unit, value, baseline, ratio, bar, ok }. Progress goes to standard error. Exits with 0 only
if every bar holds. What the lines mean: docs/benchmarks.md`

/** Parses the command line; commander prints errors and help and exits by itself. */
export function parseOptions(argv: readonly string[]): Options {
  const names = Object.keys(SUITES)
  const command = new Command('npm run bench --')
    .description('Measures the product against baselines of the same run.')
    .addArgument(new Argument('<suite>', 'what to measure').choices([...names, 'all']))
    .option('--json', 'print one JSON array and nothing else', false)
    .option(
      '--quick',
      'one short round of everything; figures mean nothing, no bar is judged',
      false,
    )
    .option('--only <text>', 'measure only what has this in its name', '')
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const [suite = 'all'] = command.args
  return { suites: suite === 'all' ? names : [suite], ...command.opts<Omit<Options, 'suites'>>() }
}
