import path from 'node:path'
import type { Finding, TidyCheck, Tree, TreeFile } from '../tree.ts'

// A word on a page is a path in the repository if it starts with one of these folders.
const topFolders =
  /^(\.\/)?(\.ci|bench|circuit|demo|docs|e2e|examples|observe|packages|program|sim|testing|tools|vectors)\//

// Matches folders that a build writes. They don't exist in a fresh clone.
const builtFolders = /(^|\/)(node_modules|dist|target)(\/|$)/

export const markdownPaths: TidyCheck = {
  name: 'markdown-paths',
  why: 'A page must not name a file that does not exist.',
  run: (tree) =>
    tree.files.filter((file) => file.path.endsWith('.md')).flatMap((file) => inPage(tree, file)),
}

function inPage(tree: Tree, page: TreeFile): Finding[] {
  return page.text.split('\n').flatMap((line, index) =>
    [...new Set([...linkedPaths(page, line), ...namedPaths(line)])]
      .filter((name) => !builtFolders.test(name) && !exists(tree, name))
      .map((name) => ({
        path: page.path,
        line: index + 1,
        problem: `names ${name}, which is missing`,
      })),
  )
}

/** The targets of links. They are relative to the page. */
function linkedPaths(page: TreeFile, line: string): string[] {
  return [...line.matchAll(/\]\(<?([^)>\s]+)>?[^)]*\)/g)]
    .map((match) => (match[1] ?? '').replace(/[#?].*$/, ''))
    .filter((target) => target !== '' && !/^([a-z+]+:|\/)/i.test(target))
    .map((target) => path.posix.join(path.posix.dirname(page.path), target))
}

/** The words of a line that are paths, for example in code style. They are relative to the repository's root. */
function namedPaths(line: string): string[] {
  return line
    .split(/[\s`"'(),;|=]+/)
    .map((word) => word.replace(/(:\d+)?[.:]*$/, ''))
    .filter((word) => topFolders.test(word) && !/[<>{}$]|\.\.\./.test(word))
    .map((word) => path.posix.normalize(word))
}

function exists(tree: Tree, name: string): boolean {
  if (!name.includes('*')) return tree.has(name)
  const escaped = name.replace(/[.+?^()|[\]\\]/g, '\\$&').replace(/\/$/, '')
  const pattern = new RegExp(
    `^${escaped.replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))}(/|$)`,
  )
  return tree.files.some((file) => pattern.test(file.path))
}
