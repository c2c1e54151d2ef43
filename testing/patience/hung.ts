/**
 * Milliseconds after which a wait counts as hung. A busy machine makes a wait many times as long, so no wait that ends
 * gets near this limit. It is shorter than the limit of a test, because the wait's own error says more.
 */
export const HUNG_MS = 300_000
