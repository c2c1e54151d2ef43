import { ERRORS } from './error-registry.ts'

type Json = Record<string, unknown>

interface Media {
  readonly content?: { readonly 'application/json'?: { readonly schema: Json } }
}

interface DocumentedOperation {
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Json }[]
  readonly requestBody?: Media & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Media>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/**
 * The facts that a client can rely on, one line for each: operations, parameters, members with their types, required
 * members, values of enumerations, error codes. Lengths, ranges, descriptions and examples aren't included, because
 * they may change.
 */
export function publishedFacts(document: object): string[] {
  const { paths, components } = document as Document
  const facts = Object.entries(ERRORS).map(
    ([code, { status, retry }]) => `error ${code} ${status} ${retry}`,
  )
  const add = (place: string, schema: Json) => {
    facts.push(...schemaFacts(place, schema, components.schemas))
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`
      facts.push(name)
      for (const { name: parameter, in: where, required, schema } of operation.parameters ?? []) {
        facts.push(`${name} request ${where} ${parameter} ${need(required)}`)
        add(`${name} request ${where} ${parameter}`, schema)
      }
      const { requestBody, responses } = operation
      if (requestBody !== undefined) {
        facts.push(`${name} request body ${need(requestBody.required)}`)
        add(`${name} request body`, schemaOf(requestBody))
      }
      add(`${name} response`, schemaOf(responses['200']))
    }
  }
  // Errors have the same form everywhere.
  add('error', components.schemas['Error'] ?? {})
  return [...new Set(facts)].sort()
}

const schemaOf = (media: Media | undefined): Json =>
  media?.content?.['application/json']?.schema ?? {}

const need = (isRequired: boolean): string => (isRequired ? 'required' : 'optional')

function schemaFacts(
  place: string,
  schema: Json,
  schemas: Readonly<Record<string, Json>>,
): string[] {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    return schemaFacts(place, schemas[reference.split('/').at(-1) ?? ''] ?? {}, schemas)
  }
  const variants = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (variants !== undefined) {
    const facts = variants.flatMap((one) => schemaFacts(place, one, schemas))
    // Clients must distinguish a member's forms, so their number is a fact. Null isn't counted as a form.
    const forms = variants.filter(({ type }) => type !== 'null').length
    return forms > 1 ? [...facts, `${place}: any of ${forms} forms`] : facts
  }
  const { format, pattern } = schema as Record<string, string | undefined>
  const facts = [schema['type'] ?? 'any'].flat().map((type) => {
    const rules = type === 'null' ? [] : [format, pattern].filter((rule) => rule !== undefined)
    return `${place}: ${[type, ...rules].join(' ')}`
  })
  const values = 'const' in schema ? [schema['const']] : ((schema['enum'] ?? []) as unknown[])
  for (const value of values) facts.push(`${place} = ${JSON.stringify(value)}`)
  const required = (schema['required'] ?? []) as string[]
  for (const [name, member] of Object.entries(
    (schema['properties'] ?? {}) as Record<string, Json>,
  )) {
    facts.push(`${place}.${name} ${need(required.includes(name))}`)
    facts.push(...schemaFacts(`${place}.${name}`, member, schemas))
  }
  const items = schema['items'] as Json | undefined
  return items === undefined ? facts : [...facts, ...schemaFacts(`${place}[]`, items, schemas)]
}

const operationOf = (fact: string): string => fact.split(' ', 2).join(' ')
const placeOf = (fact: string): string => fact.split(': ')[0] ?? ''
const isOfAnswers = (fact: string): boolean => /^(error|\S+ \S+ response)\S*: /.test(fact)

/**
 * The facts that a change would break: removed facts, newly required request members, changed types of responses, and
 * new members of `quote`. A new member of `quote` breaks typed clients, because they would drop the member when they
 * send the quote back.
 */
export function breakingChanges(
  published: readonly string[],
  current: readonly string[],
): string[] {
  const before = new Set(published)
  const after = new Set(current)
  const places = new Set(published.filter((fact) => fact.includes(': ')).map(placeOf))
  const added = current.filter((fact) => !before.has(fact))
  const isKnown = (fact: string) => before.has(operationOf(fact))
  const all = (why: string, facts: readonly string[]) => facts.map((fact) => `${why}: ${fact}`)
  return [
    // If a member of a response can no longer be null, no client breaks.
    ...all(
      'gone',
      published.filter(
        (fact) => !after.has(fact) && !(isOfAnswers(fact) && fact.endsWith(': null')),
      ),
    ),
    ...all(
      'newly required',
      added.filter((fact) => / request .* required$/.test(fact) && isKnown(fact)),
    ),
    ...all(
      'another type',
      added.filter((fact) => isOfAnswers(fact) && places.has(placeOf(fact))),
    ),
    ...all(
      'new inside quote',
      added.filter((fact) => / (request body|response)\.quote\b/.test(fact) && isKnown(fact)),
    ),
  ]
}
