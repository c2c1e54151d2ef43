import { Argument, Command } from 'commander'
import { SUITES } from './suites.ts'

export interface Options {
  /** Names of the suites to run, in order. */
  readonly suites: readonly string[]
  readonly json: boolean
  readonly quick: boolean
  /** Only lines whose names contain this text are measured. If the text is empty, all lines are measured. */
  readonly only: string
  /** True to write the measured values into the report. */
  readonly report: boolean
  /** True to run each suite in a separate process, which is killed if it takes too long. */
  readonly isApart: boolean
  /** The command line as it was typed. */
  readonly command: string
}

const HELP = `
Prints one line for each measurement, as a table or with --json as one JSON array of
{ name, unit, value, baseline, ratio, bar, ok }. Progress goes to standard error. Exits with 0 only
if every bar is met. \`all\` runs every suite in a separate process, stores the figures in
bench/report.json after each suite, and writes docs/performance.md from that file. A suite that fails doesn't stop
the others. \`all --only <suite>,<suite>\` runs these suites again and replaces their older figures.
docs/benchmarks.md explains the lines.`

/** Parses the command line. After an error or `--help`, Commander prints the text and exits the process. */
export function parseOptions(argv: readonly string[]): Options {
  const names = Object.keys(SUITES)
  const command = new Command('npm run bench --')
    .description('Measures the product against baselines of the same run.')
    .addArgument(new Argument('<suite>', 'what to measure').choices([...names, 'all']))
    .option('--json', 'print one JSON array and nothing else', false)
    .option('--quick', 'run one short round of everything; its figures are meaningless', false)
    .option(
      '--only <text>',
      'measure only these suites, such as program,cost, or only lines whose names contain this text',
      '',
    )
    .option('--report', 'store the figures in bench/report.json, as `all` does', false)
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const [suite = 'all'] = command.args
  const given = command.opts<{ json: boolean; quick: boolean; only: string; report: boolean }>()
  const isAll = suite === 'all'
  const wanted = given.only.split(',')
  const isSuites = isAll && wanted.every((name) => names.includes(name))
  return {
    ...given,
    suites: isSuites ? wanted : isAll ? names : [suite],
    only: isSuites ? '' : given.only,
    report: (given.report || isAll) && !given.quick,
    isApart: isAll,
    command: ['npm run bench --', ...argv].join(' '),
  }
}
