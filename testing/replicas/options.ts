import { Command, Option } from 'commander'
import { SEED_MAX, withSeed } from '../options/seed.ts'
import { whole } from '../options/whole.ts'

/** Drills that no client may notice. */
const LIVE = ['restart', 'migration', 'kill'] as const
export type LiveDrill = (typeof LIVE)[number]

export interface Options {
  readonly orders: number
  readonly seed: number
  /** The drills, in order. */
  readonly drill: readonly (LiveDrill | 'restore')[]
  readonly json: boolean
}

const ORDERS = 40

const HELP = `
Two APIs and two workers run as separate processes, with PostgreSQL, the local chain and a balancer. At the same time,
orders of every kind are placed, repeated, paid, refreshed, abandoned or refunded. The drills:
  restart    every process is stopped and started again, one after the other
  migration  every process is replaced by a process of a newer version, which migrates the database
  kill       a worker is killed while it works, and the other worker takes over its orders
  restore    runs alone, on an installed PostgreSQL: its database is backed up under load, lost and restored
Every order must end correctly, and the balance of every wallet and vault must be exact to the base unit.
Except in restore, no client may see a 5xx or a broken connection. If one of these rules is broken, the run exits
with 1.`

/** Parses the command line. For an error or a request for help, Commander prints a text and ends the process. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run e2e:replicas --')
    .description('Runs orders through several replicas while they are replaced and killed.')
    .option('--orders <n>', 'how many orders to make', whole(10, 100_000), ORDERS)
    .option(
      '--seed <n>',
      'the seed of an earlier run, for the same orders and choices (default: random)',
      whole(0, SEED_MAX),
    )
    .addOption(
      new Option('--drill <names...>', 'the drills to run, one after the other')
        .choices([...LIVE, 'restore'])
        .default([...LIVE]),
    )
    .option('--json', 'print one JSON summary and nothing else', false)
    .addHelpText('after', HELP)
  command.parse([...argv], { from: 'user' })
  const { drill } = command.opts<Options>()
  if (drill.includes('restore') && drill.length > 1) command.error('error: restore runs alone')
  return withSeed(command.opts<Omit<Options, 'seed'> & { seed?: number }>())
}
