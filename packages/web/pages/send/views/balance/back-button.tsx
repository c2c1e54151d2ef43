/** A button that leaves the open balance or a form. */
export function BackButton({ back }: { readonly back: () => void }) {
  return (
    <button type="button" class="quiet" onClick={back}>
      Back to your balances
    </button>
  )
}
