import { showAmount } from '../../look/amounts.ts'
import type { Settlement } from '../model/console-api.ts'

const LAMPORT_DECIMALS = 9

/**
 * The number of deliveries that all relayers together can pay, each relayer's balance, and the number of orders that
 * may still be paid.
 */
export function Relayers({ settlement }: { readonly settlement: Settlement | null }) {
  return (
    <section class="card" aria-labelledby="relayers-title">
      <h2 id="relayers-title">Relayers</h2>
      {settlement === null ? (
        <p class="hint">This process settles nothing yet: open the console of a worker.</p>
      ) : (
        <>
          <p class="figure">
            {showAmount(settlement.affordable, 0)} <span class="unit">deliveries affordable</span>
          </p>
          <dl class="rows">
            {settlement.relayers.map((lamports, index) => (
              <div key={index}>
                <dt>Relayer {index}</dt>
                <dd>
                  {showAmount(lamports, LAMPORT_DECIMALS)} <span class="unit">SOL</span>
                </dd>
              </div>
            ))}
            <div>
              <dt>Orders that may still be paid</dt>
              <dd>{settlement.payable}</dd>
            </div>
          </dl>
        </>
      )}
    </section>
  )
}
