/** The rent of the simulated cluster. */
export const LAMPORTS_PER_BYTE = 6_960n
