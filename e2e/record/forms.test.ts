import { describe, expect, it } from 'vitest'
import { differingForms, FormCollector, type Form, type RpcError } from './forms.ts'

function formOf(results: readonly unknown[], errors: readonly RpcError[] = []): Form {
  const collector = new FormCollector()
  for (const result of results) collector.add(result)
  for (const error of errors) collector.addError(error)
  return collector.form
}

const differences = (first: Form, second: Form) => differingForms({ get: first }, { get: second })

describe('forms of answers', () => {
  it('list every type at each place and every optional member', () => {
    expect(formOf([{ value: null }, { value: { a: 1, b: [] } }, { value: { a: 'x' } }])).toEqual({
      answers: 3,
      places: {
        '': ['object'],
        '.value': ['null', 'object'],
        '.value.a': ['number', 'string'],
        '.value.b': ['absent', 'array'],
      },
      errors: [],
    })
  })

  it('are equal if only values differ', () => {
    const error = (address: string, slot: number) => ({
      ...{ code: -32_602, message: `no ${address} at ${slot}` },
    })
    const [one, other] = ['1'.repeat(32), '2'.repeat(44)]
    expect(
      differences(
        formOf([[1, 2]], [error(one, 5)]),
        formOf([[7], [3]], [error(other, 61), error(one, 7)]),
      ),
    ).toEqual([])
  })

  it('differ if a member, a type, an element, an error or a kind of request differs', () => {
    const first = formOf([{ a: 1, more: { deep: [1] } }, [1]], [{ code: -1, message: 'no' }])
    const second = formOf([{ a: null }, ['1']], [{ code: -2, message: 'no' }])
    expect(differences(first, second)).toEqual([
      'get: result.a is number in the first run, and null in the second',
      'get: result.more is object in the first run, and nothing in the second',
      'get: result[] is number in the first run, and string in the second',
      'get: only the first run got the error -1 no',
      'get: only the second run got the error -2 no',
    ])
    expect(differingForms({ one: first }, { two: first })).toEqual([
      'one: requested only in the first run',
      'two: requested only in the second run',
    ])
  })
})
