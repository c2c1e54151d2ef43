import type { TransferState } from '@sotto/sdk/wallet'
import {
  savedTransfer,
  saveTransfer,
  setTransferAside,
  type OrderedState,
} from './saved-transfer.ts'

/** The saved states of the transfers that this tab runs. The browser may refuse to store them, or may lose them. */
export class KeptTransfer {
  /** The tracking id of the transfer whose newest state the browser refused to store. */
  #unsaved: string | undefined

  /**
   * Saves the state. If this fails before the wallet is asked, the transfer must not go on. Once the wallet was asked,
   * the transfer goes on anyway, because a signed transaction would otherwise be lost. A reloaded page then continues
   * from an earlier state.
   */
  async save(state: TransferState): Promise<void> {
    try {
      await saveTransfer(state)
      this.#unsaved = undefined
    } catch (error) {
      if (state.step === 'signing') throw error
      this.#unsaved = 'order' in state ? state.order.trackingId : undefined
    }
  }

  /**
   * The newest state of a transfer whose state in this tab is `state`. Another tab may have continued the transfer.
   * Undefined if the browser's storage doesn't contain the transfer, because it has ended or because the storage was
   * cleared.
   */
  newest(state: OrderedState): TransferState | undefined {
    const { trackingId } = state.order
    return this.#unsaved === trackingId ? state : savedTransfer(trackingId)
  }

  /** Sets a transfer aside that the wallet may have signed. */
  leave(state: TransferState | undefined): void {
    if (state === undefined || !('order' in state) || state.step === 'ordered') return
    try {
      setTransferAside(state)
    } catch {
      // The browser's storage is full or blocked. What it has of the transfer stays there, and the person has saved the
      // ticket as a file before the wallet was asked.
    }
  }
}
