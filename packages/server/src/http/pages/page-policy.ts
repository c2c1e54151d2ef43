/**
 * Headers of every response that belongs to a page. The browser shows and runs only this service's own files, and
 * connects only to this service and to `connectTo`. No other page may show this page in a frame. The browser submits no
 * forms of this page, and doesn't send the page's address to other pages as a referrer. Images may have `data:` URLs,
 * because wallets provide their icons as such URLs.
 */
export function pagePolicy(connectTo: readonly string[] = []): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...connectTo].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // Wallets may open separate windows, but no other page gets a reference to this page's window.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
