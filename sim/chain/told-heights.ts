/** Heights that nodes told before the chain had reached them. */
export class ToldHeights {
  readonly #lies: { readonly height: number; readonly told: number }[] = []

  /** Takes down that a node whose newest final block has one height told another. */
  take(height: number, told: number): void {
    if (told > height) this.#lies.push({ height, told })
  }

  /** True where somebody may have been told that this height is past while something could still land. */
  canDeceive(lastValidHeight: number): boolean {
    return this.#lies.some(
      ({ height, told }) => height <= lastValidHeight && lastValidHeight < told,
    )
  }
}
