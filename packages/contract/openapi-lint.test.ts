import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { openApiDocument } from './index.ts'

type Document = {
  paths: Record<string, { post?: { operationId?: string }; get?: object }>
  components: { examples: Record<string, { value: { retry: string } }> }
}

/** The linter's findings for a document, with the recommended rules and stricter rules for examples. */
async function lint(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: false },
      'no-invalid-parameter-examples': { severity: 'error', allowAdditionalProperties: false },
      'no-invalid-schema-examples': { severity: 'error', allowAdditionalProperties: false },
    },
  })
  const source = JSON.stringify(document)
  const problems: NormalizedProblem[] = await lintFromString({
    source,
    absoluteRef: 'openapi.json',
    config,
  })
  return problems.map(({ ruleId, message, location }) => {
    return `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`
  })
}

it('passes an OpenAPI linter', async () => {
  expect(await lint(openApiDocument())).toEqual([])
})

it('the linter reports a broken document', async () => {
  const document = structuredClone(openApiDocument()) as Document
  delete document.paths['/transfer/v1/quote']!.post!.operationId
  document.paths['/transfer/v1/orders/{id}'] = { get: { responses: {} } }
  document.components.examples['INTERNAL']!.value.retry = 'perhaps'
  const said = (await lint(document)).join('\n')
  expect(said).toContain('operation-operationId')
  expect(said).toContain('path-parameters-defined')
  expect(said).toMatch(/no-invalid-media-type-examples.*retry/)
})
