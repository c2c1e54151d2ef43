/** What the page promises, and how far: in the open, without a claim that it can't keep. */
export function Footer() {
  return (
    <footer class="foot">
      <p>
        Before your wallet is asked, this page takes the transaction apart in your browser and
        compares every byte with what you asked for. With the recovery ticket the money can be
        delivered, or come back, without this service.
      </p>
      <p>
        <a href="/docs/errors">Errors and what to do</a>
      </p>
    </footer>
  )
}
