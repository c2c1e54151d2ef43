import type { Wallet } from '@wallet-standard/base'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain, type Problem } from '../model/problems.ts'
import { connectWallet, watchWallets, type ConnectedWallet } from '../model/wallets.ts'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  readonly chain: string
  readonly connected: (wallet: ConnectedWallet) => void
}

const isTest = ({ chains }: Wallet): boolean =>
  chains.length === 1 && chains[0] === 'solana:localnet'

/** Every wallet in this browser that can pay on this chain. */
export function WalletList({ chain, connected }: Props) {
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [asking, setAsking] = useState<string>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => watchWallets(chain, setWallets), [chain])
  const asked = useRef<Wallet | undefined>(undefined)
  const ask = async (wallet: Wallet) => {
    asked.current = wallet
    setProblem(undefined)
    setAsking(wallet.name)
    try {
      const answer = await connectWallet(wallet, chain)
      // A wallet may never answer, so the person can choose another one. A late answer must not replace that wallet.
      if (asked.current === wallet) connected(answer)
    } catch (error) {
      if (asked.current === wallet) setProblem(explain(error))
    }
    if (asked.current === wallet) setAsking(undefined)
  }
  return (
    <div class="wallets">
      {wallets.length === 0 ? (
        <p class="hint">
          No Solana wallet was found in this browser. Install a wallet extension, then reload this
          page.
        </p>
      ) : (
        <ul>
          {wallets.map((wallet) => (
            <li key={wallet.name}>
              <button
                type="button"
                class="wallet"
                disabled={asking === wallet.name}
                onClick={() => void ask(wallet)}
              >
                <img src={wallet.icon} alt="" width="32" height="32" />
                <span class="wallet-name">Connect {wallet.name}</span>
                {isTest(wallet) ? <span class="badge warn">test money, worth nothing</span> : null}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="hint" role="status">
        {asking === undefined ? '' : `Waiting for ${asking}…`}
      </p>
      {problem === undefined ? null : <ProblemNote problem={problem} />}
    </div>
  )
}
