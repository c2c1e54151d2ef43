import type { z } from 'zod'
import { RemoteError } from './remote-error.ts'

/** An answer's JSON in the expected form. @throws RemoteError if it has another form. */
export function parseAnswer<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  text: string,
): z.infer<Schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's error isn't kept, because its message would quote the answer.
    throw new RemoteError(service, 'no_json')
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new RemoteError(service, 'wrong_form')
  return parsed.data
}
