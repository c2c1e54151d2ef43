import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAmount } from '../../../look/amounts.ts'
import { paymentFee } from '../../model/balance/top-up-form.ts'
import type { LiveQuote } from '../../model/use-quote.ts'
import { ProblemNote } from '../problem-note.tsx'
import { HowBalancesWork } from './how-balances-work.tsx'

interface Props {
  readonly live: LiveQuote
  readonly source: Token | undefined
}

/** Shows the costs of a top-up and of later payments, and explains how a balance works. */
export function TopUpPanel({ live, source }: Props) {
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const isGeneral = live.kind === 'refused' && live.problem.field === undefined
  return (
    <aside class="card panel" aria-label="Cost and how it works">
      <h2>{quoted === undefined ? 'How a balance works' : 'Your top-up'}</h2>
      {quoted === undefined || source === undefined ? null : <Costs {...{ quoted, source }} />}
      <HowBalancesWork />
      {isGeneral ? <ProblemNote problem={{ ...live.problem, canRetry: false }} /> : null}
      <p class="visually-hidden" role="status">
        {live.kind === 'asking' ? 'Getting the price.' : ''}
      </p>
    </aside>
  )
}

const SOL_DECIMALS = 9

interface CostProps {
  readonly quoted: QuoteResponse
  readonly source: Token
}

function Costs({ quoted: { quote, senderMustHold }, source }: CostProps) {
  const { decimals, symbol } = source
  return (
    <dl class="receipt plain costs">
      <div>
        <dt>You pay in</dt>
        <dd>
          {showAmount(quote.amountIn, decimals)} <span class="unit">{symbol}</span>
        </dd>
      </div>
      <div>
        <dt>Fee for paying in</dt>
        <dd>none</dd>
      </div>
      <div>
        <dt>Fee of each payment</dt>
        <dd>{paymentFee(source)}</dd>
      </div>
      <div class="minor">
        <dt>Your wallet must hold</dt>
        <dd>
          {showAmount(senderMustHold.native, SOL_DECIMALS)} <span class="unit">SOL</span>
        </dd>
      </div>
    </dl>
  )
}
