import fc, { type Arbitrary } from 'fast-check'
import type { Json } from '../openapi/read-document.ts'

/** Values by member name. A member that has known values gets one of them instead of a random value of its schema. */
export type KnownValues = Readonly<Record<string, Arbitrary<unknown>>>

const TEXT_MAX = 40

function text(schema: Json): Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = TEXT_MAX } = schema as Record<string, never>
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength, maxLength: Math.min(maxLength, TEXT_MAX), unit: 'binary' })
}

/** Values that a JSON Schema allows. The schema must not contain references. */
export function valueOfSchema(schema: Json, known: KnownValues = {}): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) {
    return fc.oneof(...choices.map((one: Json) => valueOfSchema(one, known)))
  }
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  switch (schema['type']) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(minimum ?? 0, -0x7fffffff),
        max: Math.min(maximum ?? 0x7fffffff, 0x7fffffff),
      })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valueOfSchema((schema['items'] ?? {}) as Json, known), { maxLength: 3 })
    case 'object':
      return members(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function members(schema: Json, known: KnownValues): Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>
  const required = (schema['required'] ?? []) as string[]
  const values = Object.entries(properties).map(
    ([name, one]) => [name, known[name] ?? valueOfSchema(one, known)] as const,
  )
  return fc.record(Object.fromEntries(values), { requiredKeys: required, noNullPrototype: true })
}
