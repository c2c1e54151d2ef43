/** The name of an order's ticket file. */
const nameOf = (trackingId: string): string => `sotto-ticket-${trackingId}.txt`

/** The name of a balance's file; `orderId` names the order that paid in. */
export const balanceFileName = (orderId: string): string =>
  `sotto-balance-${orderId.slice(0, 8)}.txt`

/**
 * Saves the recovery ticket as a file with one line, which `sotto recover` takes. The ticket doesn't leave
 * the browser.
 */
export const downloadTicket = (trackingId: string, ticket: string): void =>
  downloadLine(nameOf(trackingId), ticket)

/** Saves a balance's ticket, with its secret, as a file that this page and `sotto recover` take. */
export const downloadBalance = (orderId: string, ticket: string): void =>
  downloadLine(balanceFileName(orderId), ticket)

function downloadLine(name: string, line: string): void {
  const url = URL.createObjectURL(new Blob([`${line}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // After this minute, the browser has certainly started to write the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
