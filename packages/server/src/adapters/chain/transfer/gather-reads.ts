import type { Address } from '@sotto/protocol'
import type { RawAccount } from '../../rpc/read-accounts.ts'

/** Accounts in the order asked for, undefined where there is none. */
type Read = (addresses: readonly Address[]) => Promise<readonly (RawAccount | undefined)[]>

/** One alone would hold everybody up where a node lets it hang. */
const UNDER_WAY_MAX = 4
/** The most accounts that one request may name. */
const ACCOUNTS_MAX = 100

interface Asked {
  readonly addresses: readonly Address[]
  readonly resolve: (accounts: (RawAccount | undefined)[]) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Asks for few accounts at once as long as few do, and for those of many callers together where
 * requests are under way already: each costs a process a millisecond, and a busy service would stand
 * still for as many as it has recipients. What one caller asks for is of one slot.
 */
export function gatherReads(ask: Read): Read {
  const waiting: Asked[] = []
  let underWay = 0
  const takeBatch = (): Asked[] => {
    let accounts = 0
    const end = waiting.findIndex(({ addresses }) => (accounts += addresses.length) > ACCOUNTS_MAX)
    // The first goes in any case, however many it names.
    return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end))
  }
  const work = async () => {
    underWay += 1
    while (waiting.length > 0) await answerAll(ask, takeBatch())
    underWay -= 1
  }
  return (addresses) =>
    new Promise((resolve, reject) => {
      waiting.push({ addresses, resolve, reject })
      if (underWay < UNDER_WAY_MAX) void work()
    })
}

async function answerAll(ask: Read, batch: readonly Asked[]): Promise<void> {
  try {
    const accounts = await ask(batch.flatMap(({ addresses }) => addresses))
    let at = 0
    for (const { addresses, resolve } of batch) {
      resolve(accounts.slice(at, at + addresses.length))
      at += addresses.length
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
