/**
 * What goes with every answer, so that a browser that is led to one makes nothing of it: no other type than it
 * says, nothing that runs, loads or is framed. Pages allow themselves their own files in place of the second.
 */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
