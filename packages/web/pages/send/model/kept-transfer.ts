import type { TransferState } from '@sotto/sdk/wallet'
import { savedTransfer, saveTransfer } from './saved-transfer.ts'

/** The saved state of the transfer that this tab runs. The browser may refuse to store it, or may lose it. */
export class KeptTransfer {
  /** True if the browser refused to store the newest state. */
  #isUnsaved = false

  /**
   * Saves the state. If this fails before the wallet is asked, the transfer must not go on. Once the wallet was asked,
   * the transfer goes on anyway, because a signed transaction would otherwise be lost. A reloaded page then continues
   * from an earlier state.
   */
  async save(state: TransferState): Promise<void> {
    try {
      await saveTransfer(state)
      this.#isUnsaved = false
    } catch (error) {
      if (state.step === 'signing') throw error
      this.#isUnsaved = true
    }
  }

  /**
   * The newest state of a transfer whose state in this tab is `state`. Another tab may have continued the transfer.
   * Undefined if the browser's storage doesn't contain the transfer, because it has ended or because the storage was
   * cleared.
   */
  newest(state: Extract<TransferState, { readonly order: object }>): TransferState | undefined {
    return this.#isUnsaved ? state : savedTransfer(state.order.trackingId)
  }
}
