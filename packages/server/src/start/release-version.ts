import { readFileSync } from 'node:fs'

/** The version that the package says it is. */
export function releaseVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
