import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { TestTitles } from './test-titles.ts'

export type TreeFile = { path: string; text: string; lines: number }

/** The files that the checks read. Tests can pass other files. */
export type Tree = { files: TreeFile[]; has: (path: string) => boolean; titles: TestTitles }

/** A problem and its place. `line` counts from 1. */
export type Finding = { path: string; line?: number; problem: string }

/** One rule. `why` is the reason for the rule. It is shown when the rule is broken. */
export type TidyCheck = {
  name: string
  why: string
  run: (tree: Tree) => Finding[]
}

/** Reads all files under `root` that git tracks, and new files that git doesn't ignore. Paths use forward slashes. */
export function readTree(root: string, titles: TestTitles = new Map()): Tree {
  const listing = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const texts: Record<string, string> = {}
  for (const name of listing.split('\0')) {
    const file = path.join(root, name)
    // git still lists a file whose deletion isn't committed yet.
    if (name === '' || !isFile(file)) continue
    // Binary files are read too, because they can contain paths of the machine that built them.
    texts[name] = fs.readFileSync(file, isBinary(name) ? 'latin1' : 'utf8')
  }
  return treeOf(texts, titles)
}

/** Creates a tree from the given files, whose tests have the given titles. */
export function treeOf(texts: Record<string, string>, titles: TestTitles): Tree {
  const files = Object.entries(texts).map(([name, text]) => ({
    path: name,
    text,
    lines: text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
  }))
  const known = new Set<string>()
  for (const file of files) {
    for (let name = file.path; name !== '.'; name = path.posix.dirname(name)) known.add(name)
  }
  return { files, titles, has: (name) => known.has(path.posix.normalize(name).replace(/\/$/, '')) }
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true
}

function isBinary(name: string): boolean {
  return /\.(so|wasm|zkey|ptau|r1cs|bin|png|ico|gz)$/.test(name)
}
