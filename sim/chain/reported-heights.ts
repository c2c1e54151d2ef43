/** Heights that nodes reported before the chain reached them. */
export class ReportedHeights {
  readonly #lies: { readonly height: number; readonly reported: number }[] = []

  /** Records that a node whose newest final block has one height reported another. */
  record(height: number, reported: number): void {
    if (reported > height) this.#lies.push({ height, reported })
  }

  /** True if a process may have learned that this height has passed while a transaction could still land. */
  canDeceive(lastValidHeight: number): boolean {
    return this.#lies.some(
      ({ height, reported }) => height <= lastValidHeight && lastValidHeight < reported,
    )
  }
}
