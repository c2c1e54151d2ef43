/**
 * The text from which a webhook's secret is derived with the pepper. The texts for API keys' secrets never have this
 * form.
 */
export const secretName = (webhookId: string, version: number): string =>
  `sotto/webhook/v1/${webhookId}/${version}`

/** A secret in the text format of Standard Webhooks. */
export const formatSecret = (secret: Uint8Array): string =>
  `whsec_${Buffer.from(secret).toString('base64')}`

/**
 * Maximum number of earlier secrets that sign during an overlap. The receiver may use any of them: if the answer to a
 * rotation is lost, the partner rotates again, but the receiver never gets the secret of the lost answer.
 */
const EARLIER_MAX = 4

/** The versions of the secrets with which messages are signed now, the newest first. */
export function signingVersions(
  webhook: { readonly secretVersion: number; readonly overlapUntilMs: number | undefined },
  nowMs: number,
): number[] {
  const { secretVersion, overlapUntilMs = 0 } = webhook
  const earlier = overlapUntilMs > nowMs ? Math.min(EARLIER_MAX, secretVersion - 1) : 0
  return Array.from({ length: 1 + earlier }, (_, age) => secretVersion - age)
}
