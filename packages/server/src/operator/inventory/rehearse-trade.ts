import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { assetAddress, errorText, shownAsset, type Amount } from '@sotto/protocol'
import type { Base64EncodedWireTransaction } from '@solana/kit'
import { rawAccount, type RawAccount } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { tokenOf, type TradeSide } from './trade-accounts.ts'
import { lamportsMin, type AgreedTrade } from './trade-instructions.ts'

/** The maximum size of a serialised transaction, in bytes. */
const WIRE_BYTES_MAX = 1_232

/**
 * Simulates a trade and compares the resulting accounts with the plan.
 * @throws OperatorError if the trade would fail, leave less in the admin's wallet or token accounts than planned, or
 *   sell an amount that unpaid swaps reserve.
 */
export async function rehearseTrade(
  rpc: ChainRpc,
  trade: AgreedTrade,
  reserved: Amount,
  wire: Uint8Array,
): Promise<void> {
  if (wire.length > WIRE_BYTES_MAX) {
    throw new OperatorError(
      `the route's transaction has ${wire.length} bytes, but only ${WIRE_BYTES_MAX} fit: lower --max-accounts`,
    )
  }
  const { owner, sell, buy } = trade.accounts
  const asset = await assetAddress(trade.program, sell.mint)
  const addresses = [owner, sell.account, buy.account, asset]
  const encoded = Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction
  const { value } = await rpc
    .simulateTransaction(encoded, {
      ...{ encoding: 'base64', commitment: 'confirmed', sigVerify: false },
      accounts: { addresses, encoding: 'base64' },
    })
    .send()
  if (value.err !== null) {
    throw new OperatorError(
      `the trade would fail now: ${errorText(value.err)}; nothing was signed. The market moved, or its route doesn't pay what was ` +
        'quoted: run the command again',
    )
  }
  const [wallet, sold, bought, books] = value.accounts.map((one) =>
    one === null ? undefined : rawAccount(one),
  )
  const isKept =
    wallet?.owner === SYSTEM_PROGRAM_ADDRESS &&
    wallet.lamports >= lamportsMin(trade) &&
    isWhole(sell, trade, sold) &&
    isWhole(buy, trade, bought) &&
    (shownAsset(trade.program, books)?.inventory ?? 0n) >= reserved
  if (!isKept) {
    throw new OperatorError(
      "the trade would leave less in the admin's wallet or token accounts than planned, or sell an amount that unpaid swaps reserve: nothing was signed. Run the command again. If this happens repeatedly, don't use this market",
    )
  }
}

/**
 * True if the trade leaves this side's token account intact: only its owner controls the account, and its balance is at
 * least as high as before. An account of wrapped SOL must be closed.
 */
function isWhole(side: TradeSide, trade: AgreedTrade, account: RawAccount | undefined): boolean {
  const token = tokenOf(account)
  if (side.isNative) return token === undefined
  return (
    token !== undefined &&
    token.owner === trade.accounts.owner &&
    token.delegate.__option === 'None' &&
    token.closeAuthority.__option === 'None' &&
    token.amount >= (side.before?.tokens ?? 0n)
  )
}
