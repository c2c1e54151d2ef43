import type { Point } from '../settle-input.ts'
import { FIELD, invert, mod } from '../r1cs.ts'

/** Coefficients of BabyJubJub, a·x² + y² = 1 + d·x²·y². */
export const [A, D] = [168_700n, 168_696n]

/** Order of the subgroup that contains owners' keys. The curve has eight times as many points. */
export const SUBGROUP_ORDER =
  2736030358979909402780800718157159386076813972158567259200215660948447373041n

/** circomlib's generator of that subgroup. */
export const BASE8: Point = [
  5299619240641551281634865583518297030282874472190772894086521144482721001553n,
  16950150798460657717958625567821834550301663161624707787222815936182638968203n,
]

/** The only point of order 2, and points of orders 4 and 8. */
export const ORDER_2: Point = [0n, FIELD - 1n]
export const ORDER_4: Point = [
  2957874849018779266517920829765869116077630550401372566248359756137677864698n,
  0n,
]
export const ORDER_8: Point = [
  17545522957889784193459637215142187266023652151580582754000402781682644312291n,
  4826523245007015323400664741523384119579596407052839571721035538011798951543n,
]

/** The sum of two points. */
export function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const product = mod(D * mod(x1 * x2) * mod(y1 * y2))
  const x = mod(x1 * y2 + y1 * x2) * invert(1n + product)
  const y = mod(y1 * y2 - A * mod(x1 * x2)) * invert(1n - product)
  return [mod(x), mod(y)]
}

/** The product of a point and `factor`. */
export function multiply(factor: bigint, point: Point): Point {
  let [sum, power]: [Point, Point] = [[0n, 1n], point]
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, power)
    power = add(power, power)
  }
  return sum
}
