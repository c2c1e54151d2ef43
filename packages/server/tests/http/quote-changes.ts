/**
 * Yields copies of a quote with one change each: a member's value or type, null, a missing member, or an extra member.
 */
export function* changesOf(object: object): Generator<Record<string, unknown>> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    const { [name]: _, ...rest } = object as Record<string, unknown>
    yield rest
    yield { ...object, [name]: null }
    yield { ...object, [name]: [value] }
    if (typeof value === 'string') {
      yield { ...object, [name]: `${value}0` }
      yield { ...object, [name]: value.slice(0, -1) }
      yield { ...object, [name]: JSON.parse(`"${value}"`) + ' ' }
    }
    if (typeof value === 'number') {
      yield { ...object, [name]: value + 1 }
      yield { ...object, [name]: `${value}` }
    }
    if (typeof value === 'object' && value !== null) {
      for (const inner of changesOf(value)) yield { ...object, [name]: inner }
    }
  }
  yield { ...object, extra: 'x' }
}
