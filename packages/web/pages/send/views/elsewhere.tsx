import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly again: () => void
}

/** Shown while another tab of this browser runs the transfer. */
export function Elsewhere({ again }: Props) {
  return (
    <div class="card narrow">
      <ViewHeading>Already open in another tab</ViewHeading>
      <p class="now" role="status">
        Another tab of this browser is carrying out your transfer. If you close that tab, this tab
        continues.
      </p>
      <button type="button" class="second" onClick={again}>
        Make another transfer
      </button>
    </div>
  )
}

/** Shown after another tab of this browser has finished the transfer. */
export function FinishedElsewhere({ again }: Props) {
  return (
    <div class="card narrow">
      <ViewHeading>Finished in another tab</ViewHeading>
      <p class="now" role="status">
        Another tab of this browser has finished your transfer. Look there first: that tab shows how
        the transfer ended.
      </p>
      <button type="button" class="second" onClick={again}>
        Make another transfer
      </button>
    </div>
  )
}
