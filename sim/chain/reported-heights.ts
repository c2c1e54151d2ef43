/** Heights that nodes reported before the chain reached them. */
export class ReportedHeights {
  readonly #lies: { readonly height: number; readonly reported: number }[] = []

  /** Records the height that a node reported, and the height of the node's newest final block. */
  record(height: number, reported: number): void {
    if (reported > height) this.#lies.push({ height, reported })
  }

  /** True if a process may believe that this height has passed although a transaction could still land. */
  canDeceive(lastValidHeight: number): boolean {
    return this.#lies.some(
      ({ height, reported }) => height <= lastValidHeight && lastValidHeight < reported,
    )
  }
}
