/**
 * The URL as the router is to see it. A path whose percent signs encode no text would leave the
 * framework before authentication and in another shape; with its signs taken literally it is a path
 * like any other, which names nothing.
 */
export function routableUrl(url: string): string {
  const end = url.search(/[?#;]/)
  const path = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
