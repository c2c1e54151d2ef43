import { showAmount } from '../../look/amounts.ts'
import type { Vault } from '../model/console-api.ts'
import { lastsText } from '../model/inventory.ts'

/**
 * For each vault, its balance and the sum that it must cover, at one finalized slot. The verdict directly follows the
 * asset, because a phone shows only two columns.
 */
export function Vaults({ vaults }: { readonly vaults: readonly Vault[] | null }) {
  return (
    <section class="card wide" aria-labelledby="vaults-title">
      <h2 id="vaults-title">Vaults and what they owe</h2>
      {vaults === null ? (
        <p class="problem">No node answers, so the vaults can’t be read.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of vaults">
          <table>
            <thead>
              <tr>
                <th scope="col">Asset</th>
                <th scope="col">Verdict</th>
                <th scope="col">Held</th>
                <th scope="col">Owed to notes</th>
                <th scope="col">Fees</th>
                <th scope="col">Inventory</th>
                <th scope="col">Inventory lasts</th>
              </tr>
            </thead>
            <tbody>
              {vaults.map((vault) => (
                <Row key={vault.symbol} vault={vault} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Row({ vault }: { readonly vault: Vault }) {
  const { symbol, decimals, held, owed, fees, inventory, covers, dryHours } = vault
  const show = (base: string) => showAmount(base, decimals)
  return (
    <tr>
      <th scope="row">{symbol}</th>
      <td>
        <span class={`verdict ${covers ? 'good' : 'bad'}`}>{covers ? 'covered' : 'SHORT'}</span>
      </td>
      <td>{show(held)}</td>
      <td>{show(owed)}</td>
      <td>{show(fees)}</td>
      <td>{show(inventory)}</td>
      <td>{lastsText(dryHours)}</td>
    </tr>
  )
}
