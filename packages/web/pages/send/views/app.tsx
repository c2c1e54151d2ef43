import type { Token } from '@sotto/sdk/server'
import { useEffect, useState } from 'preact/hooks'
import { Mark } from '../../look/mark.tsx'
import { explain, type Problem } from '../model/problems.ts'
import { readConfig, readTokens, type PageConfig } from '../model/service.ts'
import { useView } from '../model/use-view.ts'
import type { ConnectedWallet } from '../model/wallets.ts'
import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { ProblemNote } from './problem-note.tsx'
import { Session } from './session.tsx'
import { WalletChip } from './wallet-chip.tsx'

interface Loaded {
  readonly config: PageConfig
  /** Every listed asset, because a balance may hold an asset that new transfers can't send now. */
  readonly tokens: readonly Token[]
  /** The assets that new transfers and top-ups can pay with. */
  readonly sendable: readonly Token[]
}

const CLUSTER_NAMES = { localnet: 'Local chain', devnet: 'Devnet', mainnet: undefined } as const

/** The whole page: loads its configuration, then shows the transfer or the balances. */
export function App() {
  const [loaded, setLoaded] = useState<Loaded>()
  const [problem, setProblem] = useState<Problem>()
  const [wallet, setWallet] = useState<ConnectedWallet>()
  const [tries, setTries] = useState(0)
  const [view, go] = useView()
  useEffect(() => {
    setProblem(undefined)
    void load().then(setLoaded, (error: unknown) => setProblem(explain(error)))
  }, [tries])
  const cluster = loaded === undefined ? undefined : CLUSTER_NAMES[loaded.config.cluster]
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <p class="brand">
          <Mark />
          sotto
        </p>
        <Navigation {...{ view, go }} />
        {cluster === undefined ? null : <span class="badge">{cluster}</span>}
        {wallet === undefined ? null : (
          <WalletChip
            wallet={wallet}
            leave={() => {
              // The page forgets the wallet even if the wallet fails.
              wallet.disconnect().catch(() => undefined)
              setWallet(undefined)
            }}
          />
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {problem === undefined ? null : (
          <ProblemNote problem={problem} retry={() => setTries(tries + 1)} />
        )}
        {loaded === undefined ? (
          <p class="loading" role="status">
            {problem === undefined ? 'Loading…' : ''}
          </p>
        ) : (
          <Session {...{ ...loaded, wallet, view, go }} connected={setWallet} />
        )}
      </main>
      <Footer />
    </>
  )
}

async function load(): Promise<Loaded> {
  const [config, { tokens }] = await Promise.all([readConfig(), readTokens()])
  if (config.cluster === 'localnet') await import('../test-wallet.ts')
  return { config, tokens, sendable: tokens.filter(({ canSend }) => canSend) }
}
