/** The file name for an order's ticket. */
export const ticketFileName = (trackingId: string): string => `sotto-ticket-${trackingId}.txt`

/** The file name for a balance's ticket. `orderId` is the id of the top-up's order: hex digits. */
export const balanceFileName = (orderId: string): string =>
  `sotto-balance-${orderId.slice(0, 8)}.txt`

/**
 * Saves the recovery ticket as a file with one line, which `sotto recover` can read. This sends nothing to a server.
 */
export const downloadTicket = (trackingId: string, ticket: string): void =>
  downloadLine(ticketFileName(trackingId), ticket)

/** Saves a balance's ticket, including its secret, as a file that this page and `sotto recover` can read. */
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
  // After one minute, the browser has certainly started to write the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
