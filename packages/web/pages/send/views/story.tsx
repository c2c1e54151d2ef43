/** How a transfer works, for whoever has not made one yet. */
export function Story() {
  return (
    <ol class="story">
      <li>
        <strong>You sign once</strong>
        Your browser first checks the transaction against what you asked for, to the last byte.
      </li>
      <li>
        <strong>It waits among others</strong>
        Your payment goes into a pool that many share. The later it leaves, the more it may be
        mistaken for.
      </li>
      <li>
        <strong>It arrives like any payment</strong>
        The recipient has nothing to claim, and nothing leads from their wallet to yours but amount
        and time.
      </li>
    </ol>
  )
}
