const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** The paths at which two values differ in members or types. Other differences are ignored. */
export function differingShape(expected: unknown, actual: unknown, path = '$'): string[] {
  if (kindOf(expected) !== kindOf(actual)) {
    return [`${path} is ${kindOf(actual)} instead of ${kindOf(expected)}`]
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const isComparable = expected.length > 0 && actual.length > 0
    return isComparable ? differingShape(expected[0], actual[0], `${path}[0]`) : []
  }
  if (typeof expected !== 'object' || expected === null) return []
  const [left, right] = [expected, actual as object]
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return names.flatMap((name) => {
    const at = `${path}.${name}`
    if (!(name in right)) return [`${at} is missing`]
    if (!(name in left)) return [`${at} is not in the example`]
    return differingShape(left[name as never], right[name as never], at)
  })
}
