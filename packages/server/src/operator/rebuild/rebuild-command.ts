import type { Command } from 'commander'
import { wasmPoseidon } from '@sotto/poseidon'
import { Recipients } from '../../adapters/chain/recipients/recipients.ts'
import { createSettlementChain } from '../../adapters/chain/settlement/create-settlement-chain.ts'
import { sqlOrderStore } from '../../adapters/store/order-store.ts'
import { markPaidPayees, recordPaid } from '../../adapters/store/paid-payees.ts'
import { writeOff } from '../../adapters/store/settlement/epochs.ts'
import { readKnownDeposits } from '../../adapters/store/settlement/known-deposits.ts'
import { createSettlementStore } from '../../adapters/store/settlement/settlement-store.ts'
import type { Sql } from '../../adapters/store/sql.ts'
import { lawOf, type DelayPolicy } from '../../domain/delivery-schedule.ts'
import type { PublishedLeaves } from '../../ports/published-leaves.ts'
import type { Random } from '../../ports/random.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { Cooldown } from '../../running/cooldown.ts'
import { assertAccount } from '../account/assert-account.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { requirePool } from '../../start/require-pool.ts'
import { assertCanWriteOff, assertHasKeys } from './assert-can-write-off.ts'
import { rebuildOrders } from './rebuild-orders.ts'
import { countReads } from './rebuild-progress.ts'
import { LOST, reportOf } from './rebuild-report.ts'

/** Dependencies of the command, in addition to its context. Each dependency is opened only when the command runs. */
export interface RebuildParts {
  readonly random: Random
  readonly secrets: () => Secrets
  /** The service's default delays, which restored orders get. */
  readonly delays: () => DelayPolicy
  /** Other sources of leaves, for a node whose history lacks some leaves. */
  readonly published: () => readonly PublishedLeaves[]
  /** Reports progress. */
  readonly progress: (text: string) => void
}

interface Options {
  readonly account: string
  readonly add: boolean
  readonly writeOff: boolean
}

const HELP = `
Reads the program's history from its first transaction, opens each deposit with the keys of SOTTO_KEYS and
writes orders, leaves and cursor. A worker that starts later finds the settled orders and finishes all others.
The RPC endpoint must have the full history. First add every asset ("asset add") and the account ("account
add"). Not restored:
${LOST.map((line) => `- ${line}`).join('\n')}
docs/runbooks/rebuild.md has the whole procedure.`

export function registerRebuildCommand(
  program: Command,
  withContext: WithContext,
  parts: RebuildParts,
): void {
  program
    .command('rebuild')
    .description(
      'Restore a lost database from the chain and the keystore. The command can be repeated.',
    )
    .requiredOption('--account <id>', 'the account that restored orders will belong to')
    .option('--add', 'add missing orders to a database that already has orders', false)
    .option(
      '--write-off',
      'let epoch keys be destroyed on schedule although some orders cannot be opened; refused while the keystore ' +
        'must still have the key of such an order',
      false,
    )
    .addHelpText('after', HELP)
    .action((options: Options) => withContext((context) => rebuild(context, parts, options)))
}

async function rebuild(
  context: OperatorContext,
  parts: RebuildParts,
  options: Options,
): Promise<void> {
  const { database, program, clock } = context
  const { random, progress } = parts
  await assertAccount(database, options.account)
  if (!options.add) await assertEmpty(database)
  const rpc = countReads(context.rpc, progress)
  const pool = await requirePool(rpc, program)
  const secrets = parts.secrets()
  if (options.writeOff) await assertHasKeys(secrets)
  const store = createSettlementStore(database, secrets)
  await store.openCursor(program, pool.domain, clock.nowMs())
  const { tree } = pool
  const historyPagesMax = Infinity
  const chain = createSettlementChain({
    ...{ rpc, program, tree, historyPagesMax },
    recipients: new Recipients({ rpc, program, clock, random }),
  })
  // Until all payees of the history are stored, quotes treat every recipient as a wallet that was paid before.
  await markPaidPayees(database, false)
  progress("reading the tree's history")
  const delays = parts.delays()
  const { minDelaySeconds, maxDelaySeconds } = delays
  const rebuilt = await rebuildOrders(
    {
      ...{ store, random, clock, secrets, progress, log: logTo(progress) },
      chain: { ...chain, readHistory: historyReader(database, chain) },
      ...{ pool, published: parts.published() },
      orders: sqlOrderStore(database, secrets),
      known: () => readKnownDeposits(database),
      recordPaid: (payees) => recordPaid(database, payees),
      poseidon: wasmPoseidon,
      delayLaw: lawOf(delays),
      undecided: new Cooldown(0),
    },
    { accountId: options.account, delays: { minDelaySeconds, maxDelaySeconds } },
  )
  await markPaidPayees(database, rebuilt.hasAllPayees)
  if (options.writeOff) assertCanWriteOff(rebuilt)
  const writtenOff = options.writeOff ? rebuilt.unopened : []
  await writeOff(
    database,
    writtenOff.map(({ leaf }) => leaf),
  )
  context.out(reportOf(rebuilt, options.account, writtenOff.length))
}

async function assertEmpty(sql: Sql): Promise<void> {
  if ((await sql.query('SELECT 1 FROM orders LIMIT 1', [])).length === 0) return
  throw new OperatorError(
    'the database has orders: --add restores missing orders and leaves the existing orders unchanged',
  )
}

type Chain = ReturnType<typeof createSettlementChain>

/**
 * Returns a function that reads the history. Before any order is written, the function checks that every asset that was
 * ever deposited is in the database.
 */
function historyReader(sql: Sql, chain: Chain): Chain['readHistory'] {
  return async (...range) => {
    const transactions = await chain.readHistory(...range)
    const rows = await sql.query<{ mint: string }>('SELECT mint FROM assets', [])
    const known = new Set<string>(rows.map(({ mint }) => mint))
    const used = transactions.flatMap(({ appended }) =>
      appended.flatMap((one) =>
        one.kind === 'deposit' ? [one.deposit.sourceMint, one.deposit.destinationMint] : [],
      ),
    )
    const missing = [...new Set(used)].filter((mint) => !known.has(mint))
    if (missing.length > 0) {
      throw new OperatorError(`add these assets first, with "asset add": ${missing.join(', ')}`)
    }
    return transactions
  }
}

/** A log that passes alerts and failures to `progress`. */
function logTo(progress: (text: string) => void): SettlementLog {
  return {
    alert: (code) => progress(`alert: ${code}`),
    failed: (step, error) => progress(`${step}: ${String(error)}`),
    event: () => undefined,
  }
}
