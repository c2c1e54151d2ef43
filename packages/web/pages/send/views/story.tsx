/** Explains how a transfer works to first-time users. */
export function Story() {
  return (
    <ol class="story">
      <li>
        <strong>You sign once</strong>
        Your browser first checks that the transaction does exactly what you asked for.
      </li>
      <li>
        <strong>Your payment waits with others</strong>
        It goes into a shared pool and leaves at a random time. The more payments of the same amount
        there are, the harder it is to tell which one is yours.
      </li>
      <li>
        <strong>It arrives as an ordinary payment</strong>
        The recipient has nothing to claim. On the chain, only amount and time can connect their
        wallet with yours.
      </li>
    </ol>
  )
}
