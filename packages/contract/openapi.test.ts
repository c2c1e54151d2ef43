import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ERRORS, openApiDocument } from './index.ts'

it('the committed document equals the document that the schemas give', async () => {
  const committed = await readFile(new URL('./openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

it('the document refers only to schemas that exist', () => {
  type Schema = { readonly type?: string; readonly oneOf?: readonly Schema[] }
  const document = openApiDocument() as { components: { schemas: Record<string, Schema> } }
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g)
  const names = [...references].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    expect(document.components.schemas).toHaveProperty(name!)
    const schema = document.components.schemas[name!]!
    for (const kind of schema.oneOf ?? [schema]) expect(kind.type).toBe('object')
  }
})

it('keeps the status of every code that was ever published', () => {
  const statuses = Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`)
  expect(statuses).toMatchSnapshot()
})
