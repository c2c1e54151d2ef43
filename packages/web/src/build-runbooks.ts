import { Marked } from 'marked'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const RUNBOOKS = fileURLToPath(new URL('../../../docs/runbooks/', import.meta.url))

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escape(title)} · Sotto</title>
    <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/console/console.css" />
  </head>
  <body>
    <main class="runbook">
      <p><a href="/console">Back to the console</a></p>
      ${body}
    </main>
  </body>
</html>
`

/** Builds a page of the console from each runbook, so that an operator can open it there after an alert. */
export async function buildRunbooks(): Promise<Map<string, Uint8Array>> {
  const names = (await readdir(RUNBOOKS)).filter((name) => name.endsWith('.md')).sort()
  const known = new Set(names)
  const pages = await Promise.all(
    names.map(async (name): Promise<[string, Uint8Array]> => {
      const text = await readFile(join(RUNBOOKS, name), 'utf8')
      const title = /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? name
      return [pageOf(name), Buffer.from(page(title, await render(text, known)))]
    }),
  )
  return new Map(pages)
}

const pageOf = (name: string): string => `runbook-${name.replace(/\.md$/, '.html')}`

/** Links to other runbooks become links to their pages. Links to other files of the repository become plain text. */
async function render(text: string, known: ReadonlySet<string>): Promise<string> {
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const name = href.replace(/#.*$/, '').replace(/^\.\//, '')
        return known.has(name) ? `<a href="/console/${pageOf(name)}">${inner}</a>` : inner
      },
      html: ({ text: html }) => escape(html),
    },
  })
  return marked.parse(text)
}
