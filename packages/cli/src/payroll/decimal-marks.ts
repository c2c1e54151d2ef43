/**
 * A number with one point before three digits, such as 1.500: some people read one and a half, others fifteen hundred.
 */
const DOUBTFUL = /^([1-9]\d{0,2})\.(\d{3})$/
const DECIMAL_COMMA = /^[^,]*,\d*$/
/** A number such as `1,500` has two readings, so it doesn't show which mark separates the decimals. */
const DOUBTFUL_COMMA = /^[1-9]\d*,\d{3}$/
const GROUPING_POINTS = /\..*\./
const DECIMAL_POINT = /^[^.]*\.\d*$/
const GROUPING_COMMAS = /,.*,/

/**
 * Returns a function that gives both readings of an amount if the rest of the list makes the amount ambiguous, and
 * undefined otherwise. Outside a list, an amount such as `1.500` means one and a half (decision 39). But if another
 * amount of the list has a comma before its decimals or points between its thousands, the writer may have meant 1500.
 * Software that writes decimal commas separates columns by semicolons or tabs. So in such a list, another amount must
 * show that the point is the decimal mark.
 */
export function doubtIn(
  amounts: readonly string[],
  delimiter: string,
): (typed: string) => readonly [whole: string, fraction: string] | undefined {
  const given = amounts.map((amount) => amount.trim())
  const isCommaDecimal = given.some(
    (one) => (DECIMAL_COMMA.test(one) && !DOUBTFUL_COMMA.test(one)) || GROUPING_POINTS.test(one),
  )
  const isPointDecimal = given.some(
    (one) => (DECIMAL_POINT.test(one) && !DOUBTFUL.test(one)) || GROUPING_COMMAS.test(one),
  )
  const isClear = !isCommaDecimal && (isPointDecimal || delimiter === ',')
  return (typed) => {
    const found = isClear ? null : DOUBTFUL.exec(typed.trim())
    if (found === null) return undefined
    const [text, head = '', last = ''] = found
    return [head + last, text.replace(/\.?0+$/, '')]
  }
}
