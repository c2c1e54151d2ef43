/** The stream of an order's statuses; no operation like the others, since its answer doesn't end at once. */
export const EVENT_STREAM = {
  id: 'streamStatus',
  method: 'GET',
  path: '/transfer/v1/status/:trackingId/events',
  scope: 'read',
  /** The name of its events; each carries the status record as GET status shows it. */
  event: 'status',
} as const
