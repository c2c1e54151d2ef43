import type { Address } from '@sotto/protocol'
import { RemoteError } from '../../remote/remote-error.ts'
import type { RawAccount } from '../../rpc/read-accounts.ts'

/** Reads accounts. Returns them in the order of the request; undefined for a missing account. */
export type ReadAccounts = (
  addresses: readonly Address[],
) => Promise<readonly (RawAccount | undefined)[]>

/**
 * Maximum number of concurrent requests. With only one request at a time, a request that hangs would delay all callers.
 */
const UNDER_WAY_MAX = 4
/** Maximum number of accounts that one request may name. */
const ACCOUNTS_MAX = 100

/**
 * Maximum number of callers that may wait. If a node answers within a tenth of a second, the last caller waits about
 * ten seconds. In a pool with many tokens, each caller needs its own request, and the last caller waits about 25
 * seconds.
 */
const WAITING_MAX = 1_000
const ADVICE = 'too many recipients are looked up at once; try again in a few seconds'

interface Asked {
  readonly addresses: readonly Address[]
  readonly resolve: (accounts: (RawAccount | undefined)[]) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Reads accounts immediately while few requests are in progress. Otherwise it combines the reads of many callers into
 * one request. A request takes a millisecond of this process, so a request for each recipient would overload a busy
 * service. All accounts of one caller are read at one slot. If the addresses of two callers must never share a request,
 * each of the callers needs its own reader. If too many callers wait, further calls fail with RemoteError `rpc_busy`.
 */
export function gatherReads(ask: ReadAccounts): ReadAccounts {
  const waiting: Asked[] = []
  let underWay = 0
  const takeBatch = (): Asked[] => {
    let accounts = 0
    const end = waiting.findIndex(({ addresses }) => (accounts += addresses.length) > ACCOUNTS_MAX)
    // A batch contains at least the first caller's accounts, even if they exceed the limit.
    return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end))
  }
  const work = async () => {
    underWay += 1
    while (waiting.length > 0) await answerAll(ask, takeBatch())
    underWay -= 1
  }
  return (addresses) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= WAITING_MAX) throw new RemoteError('rpc', 'busy', ADVICE)
      waiting.push({ addresses, resolve, reject })
      if (underWay < UNDER_WAY_MAX) void work()
    })
}

async function answerAll(ask: ReadAccounts, batch: readonly Asked[]): Promise<void> {
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
