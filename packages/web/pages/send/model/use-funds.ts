import type { Token } from '@sotto/sdk/server'
import { readBalances, type Balances } from '@sotto/sdk/wallet'
import type { Address } from '@solana/kit'
import { useEffect, useState } from 'preact/hooks'
import { nodeRpc } from './node-rpc.ts'
import type { PageConfig } from './service.ts'

/**
 * The connected wallet's balances of SOL and of one asset on the chain; undefined until they are known. They are read
 * again when `moment` changes, and when the person returns to the page.
 */
export function useFunds(
  config: PageConfig,
  wallet: string | undefined,
  asset: Token | undefined,
  moment: string | undefined,
): Balances | undefined {
  const [known, setKnown] = useState<{ readonly of: string; readonly balances: Balances }>()
  const [visits, setVisits] = useState(0)
  useEffect(() => {
    const visit = () => setVisits((before) => before + 1)
    addEventListener('focus', visit)
    return () => removeEventListener('focus', visit)
  }, [])
  const key = `${wallet} ${asset?.assetId}`
  useEffect(() => {
    if (wallet === undefined || asset === undefined) return undefined
    let isCurrent = true
    readBalances(nodeRpc(config), wallet as Address, asset.assetId as Address).then(
      (balances) => isCurrent && setKnown({ of: key, balances }),
      // If the node doesn't respond, the page shows no balance. The SDK checks the balance anyway before it asks the
      // wallet.
      () => isCurrent && setKnown(undefined),
    )
    return () => {
      isCurrent = false
    }
  }, [config, key, moment, visits])
  return known?.of === key ? known.balances : undefined
}
