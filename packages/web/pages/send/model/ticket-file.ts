/** The name of an order's ticket file. */
const nameOf = (trackingId: string): string => `sotto-ticket-${trackingId}.txt`

/**
 * Saves the recovery ticket as a file with one line, which `sotto recover` takes. The ticket doesn't leave
 * the browser.
 */
export function downloadTicket(trackingId: string, ticket: string): void {
  const url = URL.createObjectURL(new Blob([`${ticket}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = nameOf(trackingId)
  document.body.append(link)
  link.click()
  link.remove()
  // Long after the browser has started to write it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
