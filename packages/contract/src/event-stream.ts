/** The stream of an order's statuses; not an ordinary operation, because its response stays open. */
export const EVENT_STREAM = {
  id: 'streamStatus',
  method: 'GET',
  path: '/transfer/v1/status/:trackingId/events',
  scope: 'read',
  /** The name of its events; each carries the status record of GET status. */
  event: 'status',
} as const
