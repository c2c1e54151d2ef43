/** Memory of a prover's process, in bytes. `docs/deployment/operations.md` says the same. */
const PROVER_BYTES = 200_000_000

interface Memory {
  /** The limit of the container. It may be absent, zero, or more than the machine has. */
  readonly container: number | undefined
  /** The memory of the machine. */
  readonly machine: number
  /** The number of prover processes in the same container. */
  readonly provers: number
}

/** The bytes of memory that this process may use before its container or machine is full. */
export function memoryAllowed({ container = 0, machine, provers }: Memory): number {
  const limit = container > 0 ? Math.min(container, machine) : machine
  return Math.max(1, limit - provers * PROVER_BYTES)
}
