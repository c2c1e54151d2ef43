import { parseWhole } from '@sotto/protocol'
import { Command, InvalidArgumentError } from 'commander'
import { FAULT_KINDS, type FaultKind } from '../faults/fault-kinds.ts'

export interface Options {
  readonly seeds: number
  readonly from: number
  /** A single seed to run and print. */
  readonly seed?: number
  readonly trace: boolean
  readonly without: readonly FaultKind[]
  readonly mutants: boolean
  /** The name of a planted bug to run with. */
  readonly mutant?: string
  /** True to start after the last seed of the previous night. */
  readonly nightly: boolean
  readonly processes: number
  readonly json: boolean
}

function parseCount(text: string): number {
  if (/^(0|[1-9][0-9]{0,8})$/.test(text)) return parseWhole(text)
  throw new InvalidArgumentError('give a whole number')
}

function parseKinds(text: string): FaultKind[] {
  const kinds = text.split(',').filter((kind) => kind !== '')
  const known = new Set<string>(FAULT_KINDS)
  const unknown = kinds.find((kind) => !known.has(kind))
  if (unknown === undefined) return kinds as FaultKind[]
  throw new InvalidArgumentError(
    `there is no fault "${unknown}"; the faults are ${FAULT_KINDS.join(', ')}`,
  )
}

/** Parses the command line. After an error or `--help`, commander prints the text and exits the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run sim --')
    .description('Runs settlement through seeded faults on a virtual clock and checks every step.')
    .option('--seeds <n>', 'how many seeds to run', parseCount, 200)
    .option('--from <n>', 'the first seed', parseCount, 1)
    .option('--seed <n>', 'runs only this seed', parseCount)
    .option('--trace', 'with --seed, prints every event of the run', false)
    .option('--without <kinds>', 'faults to leave out, separated by commas', parseKinds, [])
    .option('--mutants', 'plants each known bug in turn, and fails if a bug is not found', false)
    .option('--mutant <name>', 'plants one known bug')
    .option('--nightly', 'continues after the last seed of the previous night', false)
    .option('--processes <n>', 'processes that share the seeds', parseCount, 2)
    .option('--json', 'prints one JSON report and nothing else', false)
  command.parse([...argv], { from: 'user' })
  return command.opts<Options>()
}
