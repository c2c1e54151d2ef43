/** Heights that nodes reported before the chain reached them. */
export class ToldHeights {
  readonly #lies: { readonly height: number; readonly told: number }[] = []

  /** Records that a node whose newest final block has one height reported another. */
  take(height: number, told: number): void {
    if (told > height) this.#lies.push({ height, told })
  }

  /** True if a process may have learned that this height has passed while a transaction could still land. */
  canDeceive(lastValidHeight: number): boolean {
    return this.#lies.some(
      ({ height, told }) => height <= lastValidHeight && lastValidHeight < told,
    )
  }
}
