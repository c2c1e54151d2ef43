import type { VerifiedOrder } from '@sotto/sdk/wallet'

/** Everything that the browser checks in the transaction before the wallet is asked. */
export function Checks({ order }: { readonly order: VerifiedOrder }) {
  return (
    <section class="checks" aria-labelledby="checks-title">
      <h2 id="checks-title">Checked in this browser</h2>
      <ul>
        <li class="ok">
          It takes exactly this amount, plus the chain’s fee and a small deposit that comes back.
        </li>
        <li class="ok">
          Only this recipient can receive it. Not even this service can change that.
        </li>
        <li class="ok">If it can’t be delivered, the money can only come back to you.</li>
        <ProgramChecks order={order} />
      </ul>
    </section>
  )
}

/** What was checked about the program, as items of a list. */
export function ProgramChecks({ order: { program } }: { readonly order: VerifiedOrder }) {
  return (
    <>
      <li class="ok">The program on the chain is the published one.</li>
      {program.hasDevelopmentKey ? (
        <li class="note">
          The program has a development key. That is only safe on a test chain like this one, where
          money is worth nothing.
        </li>
      ) : null}
      {program.upgradeAuthority === null ? (
        <li class="ok">The program can’t be changed any more.</li>
      ) : (
        <li class="note">The holder of the program’s upgrade key could still change its rules.</li>
      )}
    </>
  )
}
