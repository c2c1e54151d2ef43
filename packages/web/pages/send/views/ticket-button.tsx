import { downloadTicket } from '../model/ticket-file.ts'

interface Props {
  readonly trackingId: string
  readonly ticket: string
  readonly kept?: () => void
  readonly isKept?: boolean
  readonly class?: string
}

/** A button that saves the recovery ticket as a file. */
export function TicketButton({ trackingId, ticket, kept, isKept, class: look = 'second' }: Props) {
  const save = () => {
    downloadTicket(trackingId, ticket)
    kept?.()
  }
  return (
    <button type="button" class={look} onClick={save}>
      {isKept === true ? 'Save the recovery ticket again' : 'Save the recovery ticket'}
    </button>
  )
}
