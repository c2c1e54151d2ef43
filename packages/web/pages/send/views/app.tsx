import type { Token } from '@sotto/sdk/server'
import type { TransferState } from '@sotto/sdk/wallet'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Mark } from '../../look/mark.tsx'
import { explain, type Problem } from '../model/problems.ts'
import { readTransfer } from '../model/saved-transfer.ts'
import { readConfig, readTokens, type PageConfig } from '../model/service.ts'
import { TransferRun, type Phase } from '../model/transfer-run.ts'
import type { ConnectedWallet } from '../model/wallets.ts'
import { Footer } from './footer.tsx'
import { ProblemNote } from './problem-note.tsx'
import { Transfer } from './transfer.tsx'
import { WalletChip } from './wallet-chip.tsx'

interface Loaded {
  readonly config: PageConfig
  readonly tokens: readonly Token[]
}

const CLUSTER_NAMES = { localnet: 'Local chain', devnet: 'Devnet', mainnet: undefined } as const

/** The whole page: loads its configuration, then shows the transfer. */
export function App() {
  const [loaded, setLoaded] = useState<Loaded>()
  const [problem, setProblem] = useState<Problem>()
  const [wallet, setWallet] = useState<ConnectedWallet>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    setProblem(undefined)
    void load().then(setLoaded, (error: unknown) => setProblem(explain(error)))
  }, [tries])
  const cluster = loaded === undefined ? undefined : CLUSTER_NAMES[loaded.config.cluster]
  return (
    <>
      <a class="skip" href="#main">
        Skip to the transfer
      </a>
      <header class="top">
        <p class="brand">
          <Mark />
          sotto
        </p>
        {cluster === undefined ? null : <span class="badge">{cluster}</span>}
        {wallet === undefined ? null : (
          <WalletChip
            wallet={wallet}
            leave={() => {
              void wallet.disconnect()
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
          <Session {...loaded} wallet={wallet} connected={setWallet} />
        )}
      </main>
      <Footer />
    </>
  )
}

async function load(): Promise<Loaded> {
  const [config, { tokens }] = await Promise.all([readConfig(), readTokens()])
  if (config.cluster === 'localnet') await import('../test-wallet.ts')
  return { config, tokens: tokens.filter(({ canSend }) => canSend) }
}

interface SessionProps extends Loaded {
  readonly wallet: ConnectedWallet | undefined
  readonly connected: (wallet: ConnectedWallet) => void
}

function Session({ config, tokens, wallet, connected }: SessionProps) {
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' })
  const run = useMemo(() => new TransferRun(config, tokens, setPhase), [config, tokens])
  useEffect(() => {
    const saved: TransferState | undefined = readTransfer()
    if (saved !== undefined) run.resume(saved, undefined)
  }, [run])
  return <Transfer {...{ config, tokens, wallet, connected, phase, run }} />
}
