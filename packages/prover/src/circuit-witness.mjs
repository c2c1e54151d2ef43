/** Bytes of a number in the circuit's field. */
const NUMBER_BYTES = 32

/** FNV-1a in 64 bits. The generator identifies its inputs by the hashes of their names. */
function hashName(name) {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(name)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return [Number(hash >> 32n), Number(hash & 0xffffffffn)]
}

/**
 * Returns the function that computes the value of every signal from the circuit's inputs. The generator
 * is compiled once. Its instance is reused until an input breaks a rule during a computation.
 *
 * @param {Uint8Array} wasm the generator, as circom 2 builds it
 * @returns {Promise<(input: Record<string, string | string[]>) => Uint8Array>} values of 32 little-endian
 *   bytes each; throws if the input breaks a rule of the circuit.
 */
export async function startWitness(wasm) {
  const module = await WebAssembly.compile(wasm)
  // The generator's output may quote the input, so the output is dropped.
  const runtime = {
    exceptionHandler: (code) => {
      throw new Error(`The generator stopped with code ${code}.`)
    },
    printErrorMessage: () => undefined,
    writeBufferMessage: () => undefined,
    showSharedRWMemory: () => undefined,
  }
  const instantiate = () => new WebAssembly.Instance(module, { runtime }).exports
  let generator = instantiate()

  return (input) => {
    try {
      return calculate(generator, input)
    } catch (error) {
      generator = instantiate()
      throw error
    }
  }
}

function calculate(generator, input) {
  const at = generator.getSharedRWMemoryStart()
  generator.init(0)
  for (const [name, value] of Object.entries(input)) {
    const [high, low] = hashName(name)
    for (const [place, number] of [value].flat().entries()) {
      writeNumber(generator, at, BigInt(number))
      generator.setInputSignal(high, low, place)
    }
  }
  const count = generator.getWitnessSize()
  const witness = new Uint8Array(count * NUMBER_BYTES)
  for (let signal = 0; signal < count; signal += 1) {
    generator.getWitness(signal)
    witness.set(new Uint8Array(generator.memory.buffer, at, NUMBER_BYTES), signal * NUMBER_BYTES)
  }
  return witness
}

function writeNumber(generator, at, number) {
  const view = new DataView(generator.memory.buffer, at, NUMBER_BYTES)
  for (let word = 0; word < 4; word += 1) {
    view.setBigUint64(8 * word, BigInt.asUintN(64, number >> BigInt(64 * word)), true)
  }
}
