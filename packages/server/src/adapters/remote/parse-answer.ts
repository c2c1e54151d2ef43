import type { z } from 'zod'
import { RemoteError } from './remote-error.ts'

/** Parses an answer's JSON. @throws RemoteError if the JSON doesn't have the expected form. */
export function parseAnswer<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  text: string,
): z.infer<Schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's error is dropped, because its message would quote the answer.
    throw new RemoteError(service, 'no_json')
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new RemoteError(service, 'wrong_form')
  return parsed.data
}
