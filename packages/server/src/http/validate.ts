import type { z } from 'zod'
import { ServiceError } from '../usecases/service-error.ts'
import { shownName } from './shown-name.ts'

const ISSUES_MAX = 20

/** Formats a path to a member of a request. The result contains only names that a response may repeat. */
const shown = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `${part}` : shownName(String(part)))).join('.')

function issuesOf(error: z.ZodError, elsewhere: Elsewhere): { param: string; message: string }[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ param: shown(issue.path), message: issue.message }]
    }
    return issue.keys.map((name) => ({
      param: shown([...issue.path, name]),
      message: messageOf(issue.path, name, elsewhere),
    }))
  })
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * Describes a value of a wrong type. The library's own text isn't used, because it names the library's types, such as
 * `record`, and the JavaScript class of the value. For other faults, the schema's text or the library's text is used.
 */
function describeType({ code, input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_type') return undefined
  if (input === undefined) return 'is missing'
  return `must be ${KINDS[String(issue['expected'])] ?? 'of another type'}`
}

/** Members that belong to another operation, each with the text of its error. */
type Elsewhere = Readonly<Record<string, string>>

function messageOf(path: readonly PropertyKey[], name: string, elsewhere: Elsewhere): string {
  const isKnown = path.length === 0 && Object.hasOwn(elsewhere, name)
  return (isKnown ? elsewhere[name] : undefined) ?? 'is not a member of this request'
}

/**
 * Checks a value against a schema.
 * @throws ServiceError INVALID_REQUEST that names the invalid members, at most `ISSUES_MAX` of them.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  elsewhere: Elsewhere = {},
): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeType })
  if (result.success) return result.data
  const issues = issuesOf(result.error, elsewhere).slice(0, ISSUES_MAX)
  const param = issues[0]?.param
  throw new ServiceError('INVALID_REQUEST', { issues, ...(param ? { param } : {}) })
}
