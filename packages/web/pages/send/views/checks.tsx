import type { VerifiedOrder } from '@sotto/sdk/wallet'

/** What the browser found when it took the transaction apart. */
export function Checks({ order: { program } }: { readonly order: VerifiedOrder }) {
  return (
    <section class="checks" aria-labelledby="checks-title">
      <h2 id="checks-title">Checked in this browser</h2>
      <ul>
        <li class="ok">It pays exactly this amount, and nothing else.</li>
        <li class="ok">
          Only this recipient can receive it; nobody, the service included, can change that.
        </li>
        <li class="ok">Undelivered money can only come back to you.</li>
        <li class="ok">The program on the chain is the one that was published.</li>
        {program.hasDevelopmentKey && (
          <li class="note">
            It is built with a development key, for chains like this one, where money is worth
            nothing.
          </li>
        )}
        {program.upgradeAuthority === null ? (
          <li class="ok">Nobody can change the program any more.</li>
        ) : (
          <li class="note">
            Whoever holds the program’s upgrade key could still change its rules.
          </li>
        )}
      </ul>
    </section>
  )
}
