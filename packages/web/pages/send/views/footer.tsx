/** The page's promises. They include only promises that the page itself can keep. */
export function Footer() {
  return (
    <footer class="foot">
      <p>
        Before your wallet is asked, this page checks in your browser that every part of the
        transaction is what you asked for. With the file that you save before you sign, the money
        can be delivered or brought back without this service.
      </p>
      <p>
        <a href="/docs/errors">Errors and what to do</a>
      </p>
    </footer>
  )
}
