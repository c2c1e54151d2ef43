/** The start of a target in absolute form (RFC 9112, 3.2.2), which clients send to proxies. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/**
 * The URL as the router and the gate are to see it: a path, whatever the form of the request's target.
 * A path whose percent signs encode no text would leave the framework before authentication and in
 * another shape; with its signs taken literally it is a path like any other, which names nothing.
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

/** With a slash in front: `*` and `host:port` are targets too, and name nothing here. */
const rooted = (rest: string): string => (rest.startsWith('/') ? rest : `/${rest}`)
