import type { VerifiedOrder } from '@sotto/sdk/wallet'
import { shortAddress } from '../../look/amounts.ts'

/** Lists everything that the browser checks in the transaction before it asks the wallet. */
export function Checks({ order }: { readonly order: VerifiedOrder }) {
  return (
    <section class="checks" aria-labelledby="checks-title">
      <h2 id="checks-title">Checked in this browser</h2>
      <ul>
        <li class="ok">
          Your wallet pays exactly this amount, plus the chain’s fee and a small deposit that comes
          back.
        </li>
        <li class="ok">
          Only this recipient can receive the money. If it can’t be delivered, it can only come back
          to you.
        </li>
        <ProgramChecks order={order} />
      </ul>
    </section>
  )
}

/** The checks of the program, as list items. */
export function ProgramChecks({ order: { program } }: { readonly order: VerifiedOrder }) {
  return (
    <>
      <li class="ok">
        The program on the blockchain that enforces this is exactly the one that this page was made
        for.
      </li>
      {program.hasDevelopmentKey ? (
        <li class="note">
          The program uses a key that was made for tests, so it is safe only on a test chain like
          this one, where money is worth nothing.
        </li>
      ) : null}
      {program.upgradeAuthority === null ? (
        <li class="ok">No one can change the program any more, not even this service.</li>
      ) : (
        <li class="note">
          All this is true as long as the program is not changed. Only the holder of the key{' '}
          <span class="mono">{shortAddress(program.upgradeAuthority)}</span> can still change it.
        </li>
      )}
    </>
  )
}
