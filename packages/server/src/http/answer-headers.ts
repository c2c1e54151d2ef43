/**
 * Headers of every response. They forbid browsers to guess the content type, to run or load anything, and to show the
 * response in a frame. Pages replace the `content-security-policy` with a policy that allows their own files.
 */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
