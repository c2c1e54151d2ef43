import { z } from 'zod'
import { ERRORS, type ErrorCode } from './error-registry.ts'
import { COMMON_ERRORS, OPERATIONS, type Operation } from './operations.ts'
import { ErrorBody } from './schemas/error-body.ts'
import { Quote } from './schemas/quote.ts'

type Json = Record<string, unknown>

const REFERENCE_ROOT = '#/components/schemas/'

/** JSON Schemas by id, and a way to refer to a schema: by its id where it has one. */
function schemaSet() {
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
    // A schema that others refer to stands among its own definitions already.
    schemas[id] ??= clean(own)
    return { $ref: REFERENCE_ROOT + id }
  }
  return { schemas, place }
}

/** Definitions move from each schema's own `$defs` to the document's components. */
function clean(schema: Json): Json {
  const { id: _, ...rest } = schema
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${REFERENCE_ROOT}`)) as Json
}

const json = (schema: Json): Json => ({ 'application/json': { schema } })

function responsesOf(operation: Operation, success: Json): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...COMMON_ERRORS, ...operation.errors])) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const errors = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => [
      String(status),
      { description: codes.join(', '), content: json({ $ref: `${REFERENCE_ROOT}Error` }) },
    ])
  return {
    '200': { description: 'Success.', content: json(success) },
    ...(Object.fromEntries(errors) as Json),
  }
}

const IDEMPOTENCY_HEADER: Json = {
  name: 'X-Idempotency-Key',
  in: 'header',
  required: false,
  description: 'One key for each order, reused only to retry it. Without it the quoteId serves.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function parametersOf(operation: Operation, place: (schema: z.ZodType) => Json): Json[] {
  const inPath = [...operation.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const query = operation.query === undefined ? {} : place(operation.query)
  const inQuery = Object.entries((query['properties'] ?? {}) as Record<string, Json>).map(
    ([name, schema]) => ({ name, in: 'query', required: false, schema }),
  )
  return [...inPath, ...inQuery, ...(operation.id === 'createOrder' ? [IDEMPOTENCY_HEADER] : [])]
}

/** The OpenAPI 3.1 document of the whole interface. */
export function openApiDocument(): Json {
  const { schemas, place } = schemaSet()
  place(ErrorBody)
  place(Quote)
  const paths: Record<string, Json> = {}
  for (const operation of Object.values(OPERATIONS) as Operation[]) {
    const path = operation.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    const body = operation.body
    const parameters = parametersOf(operation, place)
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: {
        operationId: operation.id,
        summary: operation.summary,
        tags: ['transfer'],
        ...(parameters.length === 0 ? {} : { parameters }),
        ...(body === undefined
          ? {}
          : {
              requestBody: {
                required: !body.safeParse(undefined).success,
                content: json(place(body)),
              },
            }),
        responses: responsesOf(operation, place(operation.response)),
      },
    }
  }
  // Looser for the service, which decides on what it received; clients get the real shape.
  const order = schemas['CreateOrderRequest']?.['properties'] as Json
  order['quote'] = { $ref: `${REFERENCE_ROOT}Quote` }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sotto',
      version: '1',
      description: 'Private token transfers: quote, order, sign, poll.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [{ name: 'transfer', description: 'Quote, order, status.' }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}
