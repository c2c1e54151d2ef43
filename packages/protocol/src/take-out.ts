/**
 * Removes one entry that equals `value`. Returns false if there is none. Lists of checked payments are used up in this
 * way: each entry can confirm only one payment, because a node could show one signature for several payments.
 */
export function takeOut<Value>(values: Value[], value: Value): boolean {
  const at = values.indexOf(value)
  if (at >= 0) values.splice(at, 1)
  return at >= 0
}
