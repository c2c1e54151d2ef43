import type { Mistake } from './mistake.ts'
import type { Rule } from './values.ts'

/** True if a URL names a user or a password. They are sent in the header `Authorization`. */
export function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/**
 * Refuses a user and a password in a URL if they could not be used. They can't be used if the requests already have
 * another `Authorization` header, or if browsers request the URL.
 */
export const urlCredentials: Rule = (all) => {
  const other = (name: string) => `but requests carry SOTTO_${name} in the same header`
  const found: readonly (readonly [Mistake['name'], string | undefined, string])[] = [
    [
      'AWS_KMS_URL',
      all.AWS_KMS_URL,
      'but requests to KMS carry their signature in the same header',
    ],
    [
      'AWS_CREDENTIALS_URL',
      all.AWS_CREDENTIALS_TOKEN && all.AWS_CREDENTIALS_URL,
      other('AWS_CREDENTIALS_TOKEN'),
    ],
    ['PYTH_URL', all.PYTH_API_KEY && all.PYTH_URL, other('PYTH_API_KEY')],
    ['TRACING_URL', all.TRACING_AUTHORIZATION && all.TRACING_URL, other('TRACING_AUTHORIZATION')],
    [
      'WEB_RPC_URL',
      all.WEB_RPC_URL,
      'but browsers refuse such a URL, and everyone would see the password',
    ],
  ]
  return found.flatMap(([name, url, reason]) => {
    if (url === undefined || !hasCredentials(url)) return []
    const problem = `contains a user or a password, ${reason}`
    return [{ name, problem, fix: 'remove the part before @' }]
  })
}
