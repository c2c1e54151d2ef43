/**
 * Files that a program writes and that are committed. `npm run check` runs each command at the
 * repository's root and fails if a file then differs from the committed one. A command must give
 * the same bytes on every machine and need nothing but Node and the installed packages.
 */
export type Generated = { command: [string, ...string[]]; files: string[] }

export const generated: Generated[] = []
