import { writePrivateFile } from '@sotto/sdk/node'
import { readIfThere } from '../settings/owned-file.ts'
import { balanceFactsFile } from './balance-files.ts'

/** Facts about a balance. Only `sotto` stores them. If they are lost, no money is lost. */
export interface BalanceFacts {
  /** True if the service returns the rest when the balance ends; null if that is unknown. */
  readonly isReturned: boolean | null
  /** The requested lifetime of the balance in days; null if the balance was restored. */
  readonly days: number | null
  /** The newest top-up by `sotto balance open`; undefined if the balance was restored. */
  readonly topUp?: FactsOfTopUp
}

interface FactsOfTopUp {
  readonly assetId: string
  /** The amount that the wallet pays, in base units. */
  readonly amount: string
  /** True once the opened balance was shown. Until then, a repeated command continues the same top-up. */
  readonly isShown: boolean
}

const UNKNOWN: BalanceFacts = { isReturned: null, days: null }

/** Reads the facts about a balance. If this machine has no file of them, they are unknown. */
export async function readFacts(home: string, name: string): Promise<BalanceFacts> {
  const text = await readIfThere(balanceFactsFile(home, name))
  return text === undefined ? UNKNOWN : (JSON.parse(text) as BalanceFacts)
}

export async function saveFacts(home: string, name: string, facts: BalanceFacts): Promise<void> {
  await writePrivateFile(balanceFactsFile(home, name), `${JSON.stringify(facts)}\n`)
}
