/** What of an order its ticket's file is named after. */
const nameOf = (trackingId: string): string => `sotto-ticket-${trackingId}.txt`

/**
 * Hands the recovery ticket to the person as a file: its one line is what \`sotto recover\` takes. It
 * never leaves the browser on the way.
 */
export function downloadTicket(trackingId: string, ticket: string): void {
  const url = URL.createObjectURL(new Blob([`${ticket}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = nameOf(trackingId)
  document.body.append(link)
  link.click()
  link.remove()
  // Long after the browser has begun to write it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
