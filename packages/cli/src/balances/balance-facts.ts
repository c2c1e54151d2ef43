import { writePrivateFile } from '@sotto/sdk/node'
import { readIfThere } from '../settings/owned-file.ts'
import { balanceFactsFile } from './balance-files.ts'

/** What neither the balance's store nor the chain's accounts show. Losing it costs no money. */
export interface BalanceFacts {
  /** Whether the service returns the rest at the end; null if it isn't known. */
  readonly isReturned: boolean | null
  /** The life of the balance, as it was asked for; null if it was restored. */
  readonly days: number | null
}

const UNKNOWN: BalanceFacts = { isReturned: null, days: null }

/** What this machine knows about a balance; all unknown if there is no file. */
export async function readFacts(home: string, name: string): Promise<BalanceFacts> {
  const text = await readIfThere(balanceFactsFile(home, name))
  return text === undefined ? UNKNOWN : (JSON.parse(text) as BalanceFacts)
}

export async function saveFacts(home: string, name: string, facts: BalanceFacts): Promise<void> {
  await writePrivateFile(balanceFactsFile(home, name), `${JSON.stringify(facts)}\n`)
}
