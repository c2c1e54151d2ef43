import { byAnswer, type Attack } from './attack.ts'

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Another text that decodes to the same bytes: the last character of 16 bytes in base64 has four unused bits. */
const otherSpelling = (trackingId: string): string =>
  trackingId.slice(0, -1) + BASE64URL[BASE64URL.indexOf(trackingId.slice(-1)) + 1]

/** A time without its zone. It means another second in each time zone. */
const withoutZone = (time: string): string => time.replace(/Z$/, '')

/** Attacks that write the honest order's own values in another way. */
export const spellingAttacks: readonly Attack[] = [
  byAnswer('the tracking id is another spelling of the same id', 'order', ({ order }) => ({
    order: { trackingId: otherSpelling(order.trackingId) },
  })),
  byAnswer('the deadline is a time without a zone', 'order', ({ order }) => ({
    order: { expiration: withoutZone(order.expiration) },
  })),
  byAnswer('the time of delivery is a time without a zone', 'order', ({ order }) => ({
    order: { deliverBy: withoutZone(order.deliverBy) },
  })),
  byAnswer('the deadline has the offset of a zone', 'order', ({ order }) => ({
    order: { expiration: order.expiration.replace(/Z$/, '+00:00') },
  })),
]
