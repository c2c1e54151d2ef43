import type { WireSender, WireSigner } from '@sotto/sdk/wallet'

/** The code with which wallets report that the person declined. */
export const DECLINED = 4_001

/**
 * The wallet was asked to sign and failed. Only such an error can mean that the person declined: errors of the node or
 * the service may contain the same words.
 */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  /** True if the person declined, and the wallet can't have sent anything. */
  readonly isDeclined: boolean

  constructor(cause: unknown, canSend: boolean) {
    super(cause instanceof Error ? cause.message : 'The wallet gave no reason.', { cause })
    const { code } = (cause ?? {}) as { code?: unknown }
    this.isDeclined = code === DECLINED && !canSend
  }
}

/** A signer that passes on the wallet's errors as `WalletError`. */
export function askedWallet(signer: WireSigner | WireSender): WireSigner | WireSender {
  const { address } = signer
  if ('signWire' in signer) {
    return { address, signWire: (wire) => marked(signer.signWire(wire), false) }
  }
  return { address, sendWire: (wire) => marked(signer.sendWire(wire), true) }
}

async function marked(asked: Promise<Uint8Array>, canSend: boolean): Promise<Uint8Array> {
  try {
    return await asked
  } catch (error) {
    throw new WalletError(error, canSend)
  }
}
