import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the methods that a path accepts, or an empty list if the path doesn't exist. */
    allowedMethods: (path: string) => readonly string[]
  }
}

/**
 * The option of a GET route that also accepts HEAD. Probes and link checkers send HEAD to pages. The operations of the
 * interface don't accept HEAD.
 */
export const WITH_HEAD = { exposeHeadRoute: true } as const

/** Remembers the methods of every route. Must be called before the first route is registered. */
export function rememberMethods(app: FastifyInstance): void {
  const routes: { readonly method: string; readonly pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${patternOf(url)}$`)
    for (const one of [method].flat()) routes.push({ method: one, pattern })
  })
  app.decorate('allowedMethods', (path) =>
    routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
  )
}

/** A route's URL as the text of a regular expression. A parameter such as `:code` matches one part of a path. */
const patternOf = (url: string): string =>
  url
    .split(/(:[A-Za-z]+)/)
    .map((part) =>
      part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('')
