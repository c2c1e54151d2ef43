import { describe, expect, it } from 'vitest'
import {
  ERRORS,
  ErrorBody,
  errorsOf,
  openApiDocument,
  OPERATIONS,
  type ErrorCode,
  type Operation,
} from './index.ts'
import { EXAMPLES } from './src/examples.ts'
import { errorExample } from './src/examples/errors.ts'

const operations = Object.entries(OPERATIONS as Record<keyof typeof OPERATIONS, Operation>)

describe.each(operations)('%s', (name, operation) => {
  const { requests = {}, responses } = EXAMPLES[name as keyof typeof OPERATIONS]

  it('has only examples of requests that its schema accepts', () => {
    expect(Object.keys(requests).length > 0).toBe(operation.body !== undefined)
    for (const { value } of Object.values(requests)) operation.body!.parse(value)
  })

  it('has an example of a valid answer to each request', () => {
    const names = operation.body === undefined ? ['default'] : Object.keys(requests)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(names))
    for (const { value } of Object.values(responses)) operation.response.parse(value)
  })
})

it.each(Object.keys(ERRORS) as ErrorCode[])('the example of %s is a valid error', (code) => {
  expect(ErrorBody.parse(errorExample(code)).code).toBe(code)
})

it('every error of an operation is in the document, with an example', () => {
  const { components } = openApiDocument() as { components: { examples: object } }
  for (const [, operation] of operations) {
    for (const code of errorsOf(operation)) expect(components.examples).toHaveProperty(code)
  }
})
