import type { Token } from '@sotto/sdk/server'
import type { Balances } from '@sotto/sdk/wallet'
import { NATIVE_MINT, showDecimal } from '@sotto/protocol'
import { useEffect, useRef, useState } from 'preact/hooks'
import { showAmount } from '../../look/amounts.ts'
import { costBeside, mostPayable } from '../model/funds.ts'
import { explain } from '../model/problems.ts'
import { askQuote } from '../model/service.ts'

interface Props {
  readonly balances: Balances | undefined
  readonly source: Token
  readonly sender: string
  /** The text in the amount's field. */
  readonly typed: string
  /** Enters an amount that the wallet can pay. */
  readonly pay: (amount: string) => void
}

/** The wallet's balance of the asset, and a button that enters the most that can be paid. */
export function BalanceLine({ balances, source, sender, typed, pay }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [why, setWhy] = useState('')
  // The text in the field now; undefined once the person has chosen another asset or wallet.
  const now = useRef<string | undefined>(typed)
  now.current = typed
  useEffect(() => () => void (now.current = undefined), [])
  const { assetId, decimals, symbol } = source
  const enterMost = async () => {
    if (balances === undefined || isAsking) return
    setAsking(true)
    setWhy('')
    try {
      const cost = await readCost(source, sender)
      const most = mostPayable(assetId, balances, cost, BigInt(source.max))
      // If the person has changed the form while the service was asked, keep their change.
      if (now.current !== typed) setWhy('')
      else if (most > 0n) pay(showDecimal(most, decimals))
      else setWhy(tooLittle(source, balances, cost))
    } catch (error) {
      const { title, nextStep } = explain(error)
      setWhy(`${title}. ${nextStep}`)
    }
    setAsking(false)
  }
  if (balances === undefined) return null
  return (
    <>
      <p class="balance">
        <span>
          In your wallet: {showAmount(balances.source, decimals)} {symbol}
        </span>
        <button
          type="button"
          class="pill"
          aria-label={`Max: enter all ${symbol} that this wallet can pay`}
          onClick={() => void enterMost()}
        >
          {isAsking ? 'Asking…' : 'Max'}
        </button>
      </p>
      <p class="hint" role="status">
        {why}
      </p>
    </>
  )
}

/**
 * The costs in addition to the payment. Any quote shows them, because they are the same for every amount and recipient.
 */
async function readCost({ assetId, min }: Token, sender: string): Promise<bigint> {
  const { signal } = new AbortController()
  const parties = { senderAddress: sender, recipientAddress: sender }
  const assets = { sourceAssetId: assetId, destinationAssetId: assetId }
  const { senderMustHold } = await askQuote({ amount: min, ...assets, ...parties }, signal)
  return costBeside(assetId, senderMustHold)
}

const SOL_DECIMALS = 9

function tooLittle({ assetId, symbol }: Token, { native }: Balances, cost: bigint): string {
  // The costs are paid in SOL too, so possibly no SOL is left for the payment.
  if (native >= cost && assetId !== NATIVE_MINT) return `This wallet holds no ${symbol}.`
  const [needed, held] = [cost, native].map((lamports) => showAmount(lamports, SOL_DECIMALS))
  return `This wallet holds ${held ?? ''} SOL. A transfer needs ${needed ?? ''} SOL besides the payment, for fees and a deposit that comes back.`
}
