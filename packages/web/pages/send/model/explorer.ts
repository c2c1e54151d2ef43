import { useEffect, useState } from 'preact/hooks'
import { nodeRpc } from './node-rpc.ts'
import type { PageConfig } from './service.ts'

const EXPLORER = 'https://explorer.solana.com'
/** For each public chain, by genesis hash: the query in the explorer's URL. */
const QUERIES: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': '',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: '?cluster=devnet',
}

/** The public explorer's URL for a transaction; undefined for a chain without a query, or for an invalid signature. */
export function explorerLink(genesisHash: string, signature: string): string | undefined {
  if (!Object.hasOwn(QUERIES, genesisHash) || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) {
    return undefined
  }
  return `${EXPLORER}/tx/${signature}${QUERIES[genesisHash]}`
}

/** The link to a transaction; undefined until the node has returned the genesis hash. */
export function useExplorerLink(
  config: PageConfig,
  signature: string | undefined,
): string | undefined {
  const [genesisHash, setGenesisHash] = useState<string>()
  useEffect(() => {
    // If the node doesn't respond, the page shows no link.
    nodeRpc(config)
      .getGenesisHash()
      .send()
      .then(setGenesisHash, () => undefined)
  }, [config])
  if (genesisHash === undefined || signature === undefined) return undefined
  return explorerLink(genesisHash, signature)
}
