/** Explains how a balance works to first-time users. */
export function HowBalancesWork() {
  return (
    <ol class="story">
      <li>
        <strong>You pay in once</strong>
        Everyone can see that your wallet paid this amount into the pool that all users share.
      </li>
      <li>
        <strong>You send from it, as often as you like</strong>
        Wait first until the time of a payment no longer points to you: the page says how long. Your
        browser signs each payment itself. Everyone can see the payment, but the chain does not say
        which balance it came from.
      </li>
      <li>
        <strong>The rest comes back</strong>
        When the balance ends, the money that you have not sent returns to your wallet by itself.
        Everyone then sees how much you have sent in total. You can also take the rest back sooner.
      </li>
    </ol>
  )
}
