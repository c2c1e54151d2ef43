/**
 * Removes one entry that equals `value`. Returns false if there is none. Callers use it for a list of checked payments.
 * Because the entry is removed, it can confirm only one payment, even if a node shows one signature for several
 * payments.
 */
export function takeOut<Value>(values: Value[], value: Value): boolean {
  const at = values.indexOf(value)
  if (at >= 0) values.splice(at, 1)
  return at >= 0
}
