import { poolAddress, shownTreeHeader, TREE_HEADER_BYTES, vaultAddress } from '@sotto/protocol'
import type { Command } from 'commander'
import { readAccounts } from '../../adapters/rpc/read-accounts.ts'
import { readBooks } from '../../adapters/chain/settlement/read-books.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { poolMintsOf } from '../../start/pool-mints-of.ts'
import { readPool, shownAuthorisers } from './pool-account.ts'
import { openOperatorChain } from './pool-transaction.ts'

export function registerPoolShow(pool: Command, withContext: WithContext): void {
  pool
    .command('show')
    .description(
      "Show the pool's settings, its tree, and every asset's vault and books, in base units.",
    )
    .action(() => withContext(showPool))
}

async function showPool(context: OperatorContext): Promise<void> {
  const { rpc } = openOperatorChain(context)
  const { program } = context
  const { domain, ...pool } = await readPool(rpc, program)
  const slice = { offset: 0, length: TREE_HEADER_BYTES }
  const read = async (commitment: 'confirmed' | 'finalized') =>
    shownTreeHeader(
      program,
      (await readAccounts(rpc, [pool.tree], { commitment, slice })).accounts[0],
    )
  const tree = await read('confirmed')
  // The balances are read at a finalized slot, and `pool init` doesn't wait until its transaction is finalized.
  if ((await read('finalized')) === undefined) {
    throw new OperatorError(
      'the pool was made less than a minute ago and is not final yet: run the same command again in half a minute',
    )
  }
  interface Followed {
    readonly halted: string | null
    readonly next_leaf: string
  }
  const [followed] = await context.database.query<Followed>(
    'SELECT halted, next_leaf FROM chain_cursor',
    [],
  )
  const { mints, areListed } = await poolMintsOf({ ...context, rpc })()
  context.out({
    pool: await poolAddress(program),
    program,
    admin: pool.admin,
    authorisers: shownAuthorisers(pool),
    domain: Buffer.from(domain).toString('hex'),
    tree: pool.tree,
    notes: tree === undefined ? null : `${tree.nextIndex}`,
    followedNotes: followed?.next_leaf ?? null,
    depositsPaused: pool.depositsPaused,
    maxDepositSeconds: pool.maxDepositSeconds,
    halted: followed?.halted ?? null,
    // If no node lists the program's accounts, assets that the database doesn't know are missing from `assets`.
    assetsFrom: areListed ? 'chain' : 'database',
    assets: await Promise.all(
      (await readBooks(rpc, program, pool.tree, mints)).assets.map(
        async ({ mint, held, owed, fees, inventory }) => ({
          mint,
          vault: await vaultAddress(program, mint),
          held: `${held}`,
          owed: `${owed}`,
          fees: `${fees}`,
          inventory: `${inventory}`,
        }),
      ),
    ),
  })
}
