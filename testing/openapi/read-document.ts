import { parseWhole } from '@sotto/protocol'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** A JSON Schema or any other object of the document. */
export type Json = Readonly<Record<string, unknown>>

export interface DocumentedAnswer {
  /** Checks a body against the documented schema. Its `errors` list the differences. */
  readonly validate: ValidateFunction
  /** Headers that every answer of this kind must have, in lower case. */
  readonly requiredHeaders: readonly string[]
  readonly examples: Readonly<Record<string, unknown>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Json
  readonly example?: string
}

export interface DocumentedOperation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path, with `{name}` for parameters. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The schema without references; undefined if there is no body. */
  readonly bodySchema?: Json
  readonly isBodyRequired: boolean
  readonly requests: Readonly<Record<string, unknown>>
  readonly answers: ReadonlyMap<number, DocumentedAnswer>
}

interface Media {
  readonly schema: Json
  readonly examples?: Record<string, Json>
}

interface RawOperation {
  readonly operationId: string
  readonly parameters?: Parameter[]
  readonly requestBody?: { required: boolean; content: { 'application/json': Media } }
  readonly responses: Record<
    string,
    { headers: Record<string, Json>; content: { 'application/json': Media } }
  >
}

/** An OpenAPI document, with compiled schemas. */
export interface ReadDocument {
  readonly operations: readonly DocumentedOperation[]
  /** Checks a body against the common shape of errors. */
  readonly validateError: ValidateFunction
}

/** Fetches the document that a service serves, and prepares it for making requests and checking answers. */
export async function fetchDocument(baseUrl: string): Promise<ReadDocument> {
  const response = await fetch(`${baseUrl}/openapi.json`)
  return readDocument((await response.json()) as Json)
}

/** Reads every operation of an OpenAPI 3.1 document, except streams. */
export function readDocument(document: Json): ReadDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  ajv.addSchema({ ...document, $id: 'document' })
  const paths = document['paths'] as Record<string, Record<string, RawOperation>>
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) => {
      // A stream is omitted: it stays open, so it has no complete body to check.
      if (!('application/json' in (raw.responses['200']?.content ?? {}))) return []
      const pointer = `document#/paths/${escape(path)}/${method}`
      return operationOf(document, ajv, pointer, { path, method, raw })
    }),
  )
  return { operations, validateError: ajv.compile({ $ref: 'document#/components/schemas/Error' }) }
}

const escape = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

function operationOf(
  document: Json,
  ajv: Ajv2020,
  pointer: string,
  { path, method, raw }: { path: string; method: string; raw: RawOperation },
): DocumentedOperation {
  const body = raw.requestBody
  const media = body?.content['application/json']
  const answers = Object.entries(raw.responses).map(([status, response]) => {
    const schema = `${pointer}/responses/${status}/content/application~1json/schema`
    const answer: DocumentedAnswer = {
      validate: ajv.compile({ $ref: schema }),
      requiredHeaders: Object.entries(response.headers)
        .filter(([, header]) => (resolve(document, header) as Json)['required'] === true)
        .map(([name]) => name.toLowerCase()),
      examples: valuesOf(document, response.content['application/json'].examples),
    }
    return [parseWhole(status), answer] as const
  })
  return {
    id: raw.operationId,
    method: method.toUpperCase() as 'GET' | 'POST' | 'DELETE',
    path,
    parameters: (raw.parameters ?? []).map((one) => resolve(document, one) as Parameter),
    ...(media === undefined ? {} : { bodySchema: resolve(document, media.schema) as Json }),
    isBodyRequired: body?.required ?? false,
    requests: valuesOf(document, media?.examples),
    answers: new Map(answers),
  }
}

function valuesOf(document: Json, examples: Record<string, Json> = {}): Record<string, unknown> {
  const entries = Object.entries(examples).map(
    ([name, example]) => [name, (resolve(document, example) as Json)['value']] as const,
  )
  return Object.fromEntries(entries)
}

/** The same value with every local reference replaced by its target. */
function resolve(document: Json, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(document, one))
  if (typeof value !== 'object' || value === null) return value
  const reference = (value as Json)['$ref']
  if (typeof reference === 'string') return resolve(document, at(document, reference))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolve(document, one)]),
  )
}

function at(document: Json, reference: string): unknown {
  const names = reference.slice(2).split('/')
  return names.reduce<unknown>((value, name) => (value as Json)[name], document)
}
