import { z } from 'zod'
import type { Json } from './json.ts'

export const SCHEMA_ROOT = '#/components/schemas/'

/** Returns a reference if the schema has an id. Otherwise, returns the whole schema. */
export type Place = (schema: z.ZodType) => Json

/** Collects JSON Schemas by id. `place` adds a schema and returns a reference to it. */
export function schemaSet(): { readonly schemas: Record<string, Json>; readonly place: Place } {
  const schemas: Record<string, Json> = {}
  const options = {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  } as const
  const place = (schema: z.ZodType): Json => {
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema, options) as Json & {
      $defs?: Record<string, Json>
    }
    for (const [id, definition] of Object.entries($defs ?? {})) schemas[id] ??= clean(definition)
    const id = schema.meta()?.id
    if (id === undefined) return clean(own)
    // The schema may have been added already, from the `$defs` of another schema that refers to it.
    schemas[id] ??= clean(own)
    return { $ref: SCHEMA_ROOT + id }
  }
  return { schemas, place }
}

/** Removes a schema's id, and redirects its references from `$defs` to the document's components. */
function clean(schema: Json): Json {
  const { id: _, ...rest } = schema
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${SCHEMA_ROOT}`)) as Json
}
