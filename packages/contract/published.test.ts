import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { breakingChanges, openApiDocument, publishedFacts } from './index.ts'

type Loose = { [member: string]: Loose }

/** The published facts of the document after a change. */
function changed(change: (document: Loose) => void): string[] {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as Loose
  change(document)
  return publishedFacts(document)
}

const now = publishedFacts(openApiDocument())
const schemas = (document: Loose) => document['components']!['schemas']!
const membersOf = (document: Loose, schema: string) => schemas(document)[schema]!['properties']!

it('nothing that was ever published in v1 has been changed or removed', async () => {
  const text = await readFile(new URL('./published.txt', import.meta.url), 'utf8')
  const published = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(published.length).toBeGreaterThan(200)
  expect(breakingChanges(published, now)).toEqual([])
})

describe('a check of the published interface', () => {
  it.each<[string, (document: Loose) => void]>([
    ['a member that was removed from an answer', (d) => delete membersOf(d, 'OrderStatus')['eta']],
    [
      'another type',
      (d) => (membersOf(d, 'Order')['eta'] = { type: 'string' } as unknown as Loose),
    ],
    [
      'null in a member that had no null',
      (d) => (membersOf(d, 'Order')['eta']!['type'] = ['integer', 'null'] as unknown as Loose),
    ],
    [
      'a removed status',
      (d) => (membersOf(d, 'OrderStatus')['status']!['enum'] as unknown as string[]).pop(),
    ],
    [
      'a member that an answer may now lack',
      (d) => (schemas(d)['Token']!['required'] as unknown as string[]).pop(),
    ],
    [
      'a member that a request now needs',
      (d) => (schemas(d)['QuoteRequest']!['required'] as unknown as string[]).push('mode'),
    ],
    [
      'a new member that a request needs',
      (d) => {
        membersOf(d, 'QuoteRequest')['memo'] = { type: 'string' } as unknown as Loose
        ;(schemas(d)['QuoteRequest']!['required'] as unknown as string[]).push('memo')
      },
    ],
    [
      'a new member of quote',
      (d) => (membersOf(d, 'Quote')['memo'] = { type: 'string' } as unknown as Loose),
    ],
    [
      'a second form of an answer',
      (d) => {
        const answer = d['paths']!['/transfer/v1/order']!['post']!['responses']!['200']!
        const media = answer['content']!['application/json']!
        const other = { $ref: '#/components/schemas/PaymentOrderResponse' } as unknown as Loose
        media['schema'] = { anyOf: [media['schema'], other] } as unknown as Loose
      },
    ],
    ['a removed operation', (d) => delete d['paths']!['/transfer/v1/tokens']],
  ])('refuses %s', (_name, change) => {
    expect(breakingChanges(now, changed(change))).not.toEqual([])
  })

  it('refuses another status of an error code', () => {
    const other = now.map((fact) => fact.replace('QUOTE_EXPIRED 422', 'QUOTE_EXPIRED 410'))
    expect(breakingChanges(now, other)).toEqual(['gone: error QUOTE_EXPIRED 422 new_quote'])
  })
})

describe('an addition', () => {
  it.each<[string, (document: Loose) => void]>([
    [
      'a new member of an answer',
      (d) => (membersOf(d, 'Order')['memo'] = { type: 'string' } as unknown as Loose),
    ],
    [
      'a new member that a request may have',
      (d) => (membersOf(d, 'QuoteRequest')['memo'] = { type: 'string' } as unknown as Loose),
    ],
    [
      'another description',
      (d) => (membersOf(d, 'Order')['eta']!['description'] = 'x' as unknown as Loose),
    ],
    [
      'a new operation with a required body',
      (d) => (d['paths']!['/transfer/v1/new'] = d['paths']!['/transfer/v1/quote']!),
    ],
  ])('may be %s', (_name, change) => {
    expect(breakingChanges(now, changed(change))).toEqual([])
  })
})
