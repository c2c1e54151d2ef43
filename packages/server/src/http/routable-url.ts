/** The start of a request target in absolute form (RFC 9112, 3.2.2). Clients send this form to proxies. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/**
 * Returns the URL for the router and the gate. The result is always a path, for every form of the request's target. The
 * framework would respond to a path with invalid percent encoding before authentication, and in a form that differs
 * from the service's errors. Therefore the percent signs of such a path are escaped, which makes it an ordinary path
 * that doesn't exist.
 */
export function routableUrl(target: string): string {
  const url = target.startsWith('/') ? target : rooted(target.replace(ORIGIN, ''))
  if (!url.includes('%')) return url
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** Adds a leading slash. `*` and `host:port` are valid targets too, but no route has such a path. */
const rooted = (rest: string): string => (rest.startsWith('/') ? rest : `/${rest}`)
