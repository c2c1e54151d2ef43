import { shortAddress } from '../../look/amounts.ts'
import type { ConnectedWallet } from '../model/wallets.ts'

interface Props {
  readonly wallet: ConnectedWallet
  readonly leave: () => void
}

/** The connected wallet, in the page's header. */
export function WalletChip({ wallet, leave }: Props) {
  return (
    <div class="chip">
      <img src={wallet.icon} alt="" width="20" height="20" />
      <span class="chip-text">
        <span class="visually-hidden">{`${wallet.name}, `}</span>
        <span class="mono" title={wallet.address}>
          {shortAddress(wallet.address)}
        </span>
      </span>
      <button type="button" class="quiet" onClick={leave}>
        Disconnect
      </button>
    </div>
  )
}
