import { amount, RENT_SYSVAR, shownRent, sumOf, type Amount } from '@sotto/protocol'
import type { Chain } from '../../demo/src/chain.ts'
import { setUpOf, upgradeOf } from '../../packages/server/src/domain/capital.ts'

/** Lamports for the fees of the page's further deployments, as stated on the page. */
const FEES = amount(10_000_000n)
const LAMPORTS_OF_A_CENT = 10_000_000n
/** The number of assets for which `sotto-server capital` computes by default. */
const ASSETS = 2n

/** What the page says that a deployment costs at a cluster's rent, in lamports. */
export interface DeploymentCost {
  readonly lamportsPerByte: bigint
  /** The maximum that the deployment, or a later upgrade, may take. */
  readonly program: Amount
  /** What the wallet that deploys needs for the whole page. */
  readonly deployer: Amount
}

/**
 * Computes the costs as the page does: the rows that `sotto-server capital` prints, rounded up to two decimals, plus
 * the amounts that the page's commands send.
 */
export async function readDeploymentCost({ rpc }: Chain, page: string): Promise<DeploymentCost> {
  const { value } = await rpc.getAccountInfo(RENT_SYSVAR, { encoding: 'base64' }).send()
  const data = Buffer.from(value?.data[0] ?? '', 'base64')
  const lamportsPerByte = shownRent({ data })
  const { program, tree, poolAndAssets } = setUpOf({ lamportsPerByte, assets: ASSETS })
  const rows = [program, tree, poolAndAssets, upgradeOf({ lamportsPerByte })].map(roundedUp)
  return {
    lamportsPerByte,
    program: roundedUp(program),
    deployer: sumOf([...rows, ...sentBy(page), FEES]),
  }
}

const roundedUp = (lamports: Amount): Amount =>
  amount(((lamports + LAMPORTS_OF_A_CENT - 1n) / LAMPORTS_OF_A_CENT) * LAMPORTS_OF_A_CENT)

const SENT = /^solana (?:transfer "[^"]+"|create-nonce-account \S+) (\d+)\.(\d{1,9}) /gm

/** The lamports that the page's commands send from the wallet that deploys. */
function sentBy(page: string): Amount[] {
  const sent = [...page.matchAll(SENT)].map(([, whole = '', part = '']) =>
    amount(BigInt(whole + part.padEnd(9, '0'))),
  )
  if (sent.length === 0) throw new Error('the page sends no SOL')
  return sent
}
