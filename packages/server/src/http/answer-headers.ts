/**
 * Headers of every response. They deny browsers content sniffing, active content, loading and framing. Pages replace
 * the `content-security-policy` with one that allows their own files.
 */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
