/** Block heights that nodes reported before the chain reached them. */
export class ReportedHeights {
  readonly #lies: { readonly height: number; readonly reported: number }[] = []

  /** Records a height that a node reported, and the height of that node's newest final block. */
  record(height: number, reported: number): void {
    if (reported > height) this.#lies.push({ height, reported })
  }

  /**
   * True if a process may wrongly believe that this height has passed. The process then considers a transaction dead,
   * although it may still land.
   */
  canDeceive(lastValidHeight: number): boolean {
    return this.#lies.some(
      ({ height, reported }) => height <= lastValidHeight && lastValidHeight < reported,
    )
  }
}
