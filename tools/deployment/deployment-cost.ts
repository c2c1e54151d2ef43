import { amount, parseAmount, sumOf, type Amount } from '@sotto/protocol'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Lamports for the fees of all transactions of docs/deployment/cluster.md ("the page"), as stated there. */
const FEES = amount(10_000_000n)
const LAMPORTS_OF_A_CENT = 10_000_000n

const run = promisify(execFile)

/** The costs that the page states for a deployment, in lamports. */
export interface DeploymentCost {
  /** The maximum cost of the program's deployment, and of a later upgrade. */
  readonly program: Amount
  /** The amount that the deploying wallet needs for all commands of the page. */
  readonly deployer: Amount
}

/** A row of `sotto-server --json capital`. Amounts are lamports, as strings of digits. */
type Row = Readonly<Record<'program' | 'tree' | 'poolAndAssets' | 'upgrade', string>>

/**
 * Computes the costs as the page does. It takes the amounts that `sotto-server capital` prints for the cluster's rent,
 * and rounds them up to two decimals. For the wallet, it adds the fees and the amounts that the page's commands send.
 */
export async function readDeploymentCost(
  rpcUrl: string,
  { server, page }: { readonly server: string; readonly page: string },
): Promise<DeploymentCost> {
  const { stdout } = await run(process.execPath, [server, '--json', 'capital', '--rpc', rpcUrl])
  const { lamports } = JSON.parse(stdout) as { readonly lamports: readonly Row[] }
  const [row] = lamports
  if (row === undefined) throw new Error('sotto-server capital prints no row')
  const rows = [row.program, row.tree, row.poolAndAssets, row.upgrade].map(roundedUp)
  return { program: roundedUp(row.program), deployer: sumOf([...rows, ...sentBy(page), FEES]) }
}

function roundedUp(digits: string): Amount {
  const lamports = parseAmount(digits)
  if (lamports === undefined) throw new Error('sotto-server capital prints no amount')
  return amount(((lamports + LAMPORTS_OF_A_CENT - 1n) / LAMPORTS_OF_A_CENT) * LAMPORTS_OF_A_CENT)
}

const SENT = /^solana (?:transfer "[^"]+"|create-nonce-account \S+) (\d+)\.(\d{1,9}) /gm

/** The lamports that the page's commands send from the deploying wallet. */
function sentBy(page: string): Amount[] {
  const sent = [...page.matchAll(SENT)].map(([, whole = '', part = '']) =>
    amount(BigInt(whole + part.padEnd(9, '0'))),
  )
  if (sent.length === 0) throw new Error('the page has no command that sends SOL')
  return sent
}
