import { EVENT_STREAM, OPERATIONS, type Operation } from '@sotto/contract'

const OPEN_PATHS = [
  '/livez',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/docs/errors',
  '/docs/errors/:code',
]

const routes = [
  ...Object.values(OPERATIONS as Record<string, Operation>),
  EVENT_STREAM,
  ...OPEN_PATHS.map((path) => ({ method: 'GET', path })),
].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`),
}))

/** Returns the methods that a path accepts, or an empty list if the path doesn't exist. */
export function allowedMethods(path: string): string[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}
