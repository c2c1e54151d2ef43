/**
 * What goes with every answer that belongs to a page: the browser runs and shows nothing but this
 * service's own files, talks to it alone (and to `connectTo`), and no other page may frame it, submit to it
 * or learn where a person came from. `data:` is for icons, which wallets give as such.
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
    // Wallets may open windows of their own; nobody else gets a handle to this one.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
