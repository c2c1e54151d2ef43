// Each function changes the file of a witness program so that the program becomes faulty.

/** Appends a step to a witness program: an assertion that 1 · 1 = 0, which always fails. */
export function refuseAll(file: Buffer): Buffer {
  const start = file.indexOf('\n') + 1
  // The number of steps is the last of five integers. Each integer is stored in groups of seven bits, the lowest
  // group first.
  let at = start
  for (let left = 4; left > 0; at += 1) if (file[at]! < 0x80) left -= 1
  let end = at
  let [count, shift] = [1, 0]
  for (let isLast = false; !isLast; end += 1, shift += 7) {
    count += (file[end]! & 0x7f) << shift
    isLast = file[end]! < 0x80
  }
  const groups: number[] = []
  for (; count > 0x7f; count >>= 7) groups.push((count & 0x7f) | 0x80)
  const one = [1, 0, 0]
  const step = Buffer.from([3, ...one, ...one, 0])
  return Buffer.concat([
    file.subarray(0, at),
    Buffer.from([...groups, count]),
    file.subarray(end),
    step,
  ])
}

/**
 * Offset of a witness program's list of coefficients. The list follows five integers that are stored in groups of
 * seven bits.
 */
function coefficientsOf(file: Buffer): number {
  let at = file.indexOf('\n') + 1
  for (let left = 5; left > 0; at += 1) if (file[at]! < 0x80) left -= 1
  return at
}

/**
 * Changes one bit of a witness program's first coefficient. The program then computes wrong values without reporting
 * an error.
 */
export function flipCoefficient(file: Buffer): Buffer {
  const changed = Buffer.from(file)
  changed[coefficientsOf(file)]! ^= 1
  return changed
}

/** Renames an input, so that the program asks for an input that no settlement has. */
export const renameInput = (file: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(file.toString('utf8', 0, file.indexOf('\n')).replace('"nullifier"', '"nonsense"')),
    file.subarray(file.indexOf('\n')),
  ])
