/**
 * Returns the function that checks proofs against one verifying key. It checks the equation of snarkjs'
 * `groth16.verify` with snarkjs' own curve library, so it shares no code with the engines `native` and `wasm`. It is
 * faster than `groth16.verify` for two reasons. It computes the values that depend only on the key once. And it
 * multiplies each public input as a whole, while snarkjs adds bit by bit.
 *
 * @param {object} curve BN254 of ffjavascript, with one thread
 * @param {object} vkey verifying key in snarkjs' form
 * @returns {(publicSignals: string[], proof: object) => boolean} never throws. The result is false for a proof with an
 *   invalid point: a point off its curve, a point that is zero, or a point with a coordinate that isn't below the
 *   modulus.
 */
export function verifierOf(curve, vkey) {
  const { G1, G2, Gt } = curve
  const g1 = (point) => G1.fromObject(point.map(BigInt))
  const g2 = (point) => G2.fromObject(point.map((pair) => pair.map(BigInt)))
  const prepared1 = (point) => curve.prepareG1(G1.toJacobian(point))
  const prepared2 = (point) => curve.prepareG2(G2.toJacobian(point))

  const [constant, ...bases] = vkey.IC.map(g1)
  const [beta, gamma, delta] = ['beta', 'gamma', 'delta'].map((name) =>
    prepared2(g2(vkey[`vk_${name}_2`])),
  )
  const alphaBeta = curve.millerLoop(prepared1(g1(vkey.vk_alpha_1)), beta)

  /** The key's constant point, plus the sum of the key's other points, each multiplied by its public input. */
  const sumOf = (publicSignals) =>
    publicSignals.reduce((sum, signal, index) => {
      const number = BigInt(signal)
      return number === 0n ? sum : G1.add(sum, G1.timesScalar(bases[index], number))
    }, constant)

  const isNumber = (text, order) => /^[0-9]+$/.test(text) && BigInt(text) < order

  function isPoint(group, point, coordinates) {
    if (!coordinates.every((coordinate) => isNumber(coordinate, curve.q))) return false
    return group.isValid(point) && !group.isZero(point)
  }

  return (publicSignals, { pi_a, pi_b, pi_c }) => {
    const isComplete =
      publicSignals.length === bases.length &&
      publicSignals.every((signal) => isNumber(signal, curve.r))
    if (!isComplete) return false
    const [a, b, c] = [g1(pi_a), g2(pi_b), g1(pi_c)]
    if (!isPoint(G1, a, pi_a) || !isPoint(G2, b, pi_b.flat()) || !isPoint(G1, c, pi_c)) return false
    const product = [
      curve.millerLoop(prepared1(G1.neg(a)), prepared2(b)),
      curve.millerLoop(prepared1(sumOf(publicSignals)), gamma),
      curve.millerLoop(prepared1(c), delta),
    ].reduce((left, right) => Gt.mul(left, right), alphaBeta)
    return Gt.eq(curve.finalExponentiation(product), Gt.one)
  }
}
