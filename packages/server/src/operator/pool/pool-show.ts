import { poolAddress, shownTree } from '@sotto/protocol'
import type { Command } from 'commander'
import { readAccounts } from '../../adapters/rpc/read-accounts.ts'
import { readBooks } from '../../adapters/chain/settlement/read-books.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { readPool } from './pool-account.ts'
import { openOperatorChain } from './pool-transaction.ts'

/** An unset authoriser slot reads as the address of 32 zero bytes. */
const UNSET = '11111111111111111111111111111111'

export function registerPoolShow(pool: Command, withContext: WithContext): void {
  pool
    .command('show')
    .description("Show the pool's settings, its tree, and every asset's books in base units.")
    .action(() => withContext(showPool))
}

async function showPool(context: OperatorContext): Promise<void> {
  const { rpc } = openOperatorChain(context)
  const { program } = context
  const { domain, authorisers, ...pool } = await readPool(rpc, program)
  const { accounts } = await readAccounts(rpc, [pool.tree], { commitment: 'confirmed' })
  const tree = shownTree(program, accounts[0])
  const halted = await context.database.query<{ halted: string | null }>(
    'SELECT halted FROM chain_cursor',
    [],
  )
  context.out({
    pool: await poolAddress(program),
    program,
    admin: pool.admin,
    authorisers: authorisers.map((key) => (key === UNSET ? null : key)),
    domain: Buffer.from(domain).toString('hex'),
    tree: pool.tree,
    notes: tree === undefined ? null : `${tree.nextIndex}`,
    depositsPaused: pool.depositsPaused,
    maxDepositSeconds: pool.maxDepositSeconds,
    maxDeliverySeconds: pool.maxDeliverySeconds,
    halted: halted[0]?.halted ?? null,
    assets: (await readBooks(rpc, program, pool.tree)).assets.map(
      ({ mint, held, owed, fees, inventory }) => ({
        mint,
        held: `${held}`,
        owed: `${owed}`,
        fees: `${fees}`,
        inventory: `${inventory}`,
      }),
    ),
  })
}
