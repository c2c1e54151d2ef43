import type { FastifyInstance } from 'fastify'
import { WITH_HEAD } from '../allowed-methods.ts'
import type { PageFile, PageFiles } from '../pages/page-files.ts'

const INDEX = 'index.html'

/**
 * Serves a page at its root and the page's files below the root. Browsers ask for each file at every visit, but
 * download it again only after a change.
 */
export function registerPageFiles(
  app: FastifyInstance,
  root: string,
  files: PageFiles,
  policy: Readonly<Record<string, string>>,
): void {
  const serve = (url: string, { type, bytes, tag }: PageFile) =>
    app.get(url, WITH_HEAD, (request, reply) => {
      reply.headers(policy).header('cache-control', 'no-cache').header('etag', tag)
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return reply.type(type).send(bytes)
    })
  for (const [name, file] of files) {
    if (name === INDEX) serve(root, file)
    else serve(`${root}/${name}`, file)
  }
}
