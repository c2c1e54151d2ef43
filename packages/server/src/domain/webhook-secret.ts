/** The text from which the pepper derives a webhook's secret. An API key's secret never has this form. */
export const secretName = (webhookId: string, version: number): string =>
  `sotto/webhook/v1/${webhookId}/${version}`

/** A secret in the text form that Standard Webhooks defines. */
export const formatSecret = (secret: Uint8Array): string =>
  `whsec_${Buffer.from(secret).toString('base64')}`

/** The versions of the secrets that sign now, the newest first. */
export function signingVersions(
  webhook: { readonly secretVersion: number; readonly overlapUntilMs: number | undefined },
  nowMs: number,
): number[] {
  const { secretVersion, overlapUntilMs = 0 } = webhook
  return overlapUntilMs > nowMs ? [secretVersion, secretVersion - 1] : [secretVersion]
}
