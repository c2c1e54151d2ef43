/** The stream of an order's statuses. It isn't an ordinary operation, because its response stays open. */
export const EVENT_STREAM = {
  id: 'streamStatus',
  method: 'GET',
  path: '/transfer/v1/status/:trackingId/events',
  scope: 'read',
  /** The name of the stream's events. Each event contains the same status record as GET status. */
  event: 'status',
} as const
