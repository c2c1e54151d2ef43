import {
  amount,
  createPacedRpc,
  RENT_SYSVAR,
  shownRent,
  STEP_MAX,
  type Amount,
  type PriceStep,
} from '@sotto/protocol'
import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  capitalOf,
  setUpOf,
  type Capital,
  type CapitalPlan,
  type SetUp,
} from '../domain/capital.ts'
import { OperatorError } from '../start/operator-error.ts'
import type { OperatorContext } from './context.ts'
import { parseAmountOption } from './pool/pool-options.ts'

interface Options {
  readonly rpc?: string
  readonly transfersPerDay?: bigint
  readonly lamportsPerByte: bigint
  readonly relayers: bigint
  readonly assets: bigint
  readonly peak: bigint
  readonly newAccounts: bigint
  readonly collectDays: bigint
  readonly swaps: bigint
  readonly swapWorth: Amount
}

const VOLUMES = [100n, 1_000n, 10_000n] as const
const PRICE_CEILING: PriceStep = STEP_MAX
const USUAL_SWAP = amount(1_000_000_000n)

const whole =
  (least: bigint, most: bigint) =>
  (text: string): bigint => {
    const value = /^(0|[1-9][0-9]{0,9})$/.test(text) ? BigInt(text) : -1n
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  }
const percent = whole(0n, 100n)

/** An option whose default value appears in the help. Commander can't print a bigint. */
const usual = <T extends bigint>(
  flags: string,
  description: string,
  parse: (text: string) => T,
  value: T,
): Option => new Option(flags, description).argParser(parse).default(value, `${value}`)

/**
 * `capital`: computes how much money an operator needs. The command needs no database, and needs a node only with
 * `--rpc`.
 */
export function registerCapitalCommand(program: Command, out: OperatorContext['out']): void {
  program
    .command('capital')
    .description(
      'Print the SOL that an operator needs for 100, 1,000 and 10,000 transfers a day. This needs no settings, and ' +
        'uses the network only with --rpc. Every figure is rounded up and assumes that settlements pay the maximum priority fee.',
    )
    .option(
      '--transfers-per-day <n>',
      'print only the figures for this number',
      whole(1n, 10_000_000n),
    )
    .addOption(
      usual('--lamports-per-byte <n>', "the cluster's rent", whole(1n, 1_000_000n), 6_960n),
    )
    .addOption(
      new Option('--rpc <url>', 'read the rent from this node').conflicts('lamportsPerByte'),
    )
    .addOption(usual('--relayers <n>', 'relayers that share the work', whole(1n, 100n), 2n))
    .addOption(usual('--assets <n>', 'assets of the pool', whole(1n, 1_000n), 2n))
    .addOption(
      usual(
        '--peak <n>',
        'transfers in the busiest hour, divided by those in an average hour',
        whole(1n, 24n),
        4n,
      ),
    )
    .addOption(usual('--new-accounts <percent>', 'recipients without an account', percent, 10n))
    .addOption(usual('--collect-days <n>', 'days between collections', whole(1n, 365n), 7n))
    .addOption(usual('--swaps <percent>', 'transfers that are swaps', percent, 0n))
    .addOption(usual('--swap-worth <lamports>', 'an average swap', parseAmountOption, USUAL_SWAP))
    .action(async ({ rpc, ...options }: Options) => {
      const lamportsPerByte = rpc === undefined ? options.lamportsPerByte : await readRent(rpc)
      printCapital({ ...options, lamportsPerByte }, out)
    })
}

/** The rent that a node's cluster states now. @throws OperatorError if the node doesn't show it. */
async function readRent(url: string): Promise<bigint> {
  try {
    const { value } = await createPacedRpc(url)
      .getAccountInfo(RENT_SYSVAR, { encoding: 'base64', commitment: 'confirmed' })
      .send()
    return shownRent(value === null ? undefined : { data: Buffer.from(value.data[0], 'base64') })
  } catch (cause) {
    const next = 'check the address, or give the rent with --lamports-per-byte'
    throw new OperatorError(`the node of --rpc does not show the cluster's rent: ${next}`, {
      cause,
    })
  }
}

function printCapital(options: Omit<Options, 'rpc'>, out: OperatorContext['out']): void {
  const { newAccounts, swaps, transfersPerDay, ...plan } = options
  const volumes = transfersPerDay === undefined ? VOLUMES : [transfersPerDay]
  const rows = volumes.map((each) => {
    const whole: CapitalPlan = {
      ...plan,
      ...{ transfersPerDay: each, newAccountsPercent: newAccounts, swapsPercent: swaps },
      priceCeiling: PRICE_CEILING,
    }
    return { transfersPerDay: each, capital: { ...setUpOf(whole), ...capitalOf(whole) } }
  })
  const result = rows.map(({ transfersPerDay: each, capital }) => ({
    transfersPerDay: `${each}`,
    ...Object.fromEntries(Object.entries(capital).map(([part, sum]) => [part, `${sum}`])),
  }))
  out({ lamports: result }, tableOf(rows))
}

interface Row {
  readonly transfersPerDay: bigint
  readonly capital: Capital & SetUp
}

const PARTS: readonly (readonly [keyof Row['capital'], string])[] = [
  ['program', 'program, once'],
  ['tree', 'tree, once'],
  ['poolAndAssets', 'pool and assets, once'],
  ['upgrade', 'buffer of an upgrade, returned'],
  ['lent', 'rent that relayers lend for 61 days'],
  ['reserve', 'reserve of the relayers'],
  ['spent', 'fees and new accounts, until collected'],
  ['inventory', 'inventory for swaps'],
  ['total', 'SOL in all'],
]
const LAMPORTS_OF_A_CENT = 10_000_000n

const grouped = (digits: bigint): string => `${digits}`.replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** Formats lamports as SOL with two decimals, rounded up. */
function solOf(lamports: Amount): string {
  const cents = (lamports + LAMPORTS_OF_A_CENT - 1n) / LAMPORTS_OF_A_CENT
  return `${grouped(cents / 100n)}.${`${cents % 100n}`.padStart(2, '0')}`
}

function tableOf(rows: readonly Row[]): string {
  const lines = [
    ['transfers a day', ...rows.map((row) => grouped(row.transfersPerDay))],
    ...PARTS.map(([part, name]) => [name, ...rows.map(({ capital }) => solOf(capital[part]))]),
  ]
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map(([name = '', ...cells]) => {
      const right = cells.map((cell, at) => cell.padStart(widths?.[at + 1] ?? 0))
      return [name.padEnd(widths?.[0] ?? 0), ...right].join('  ')
    })
    .join('\n')
}
