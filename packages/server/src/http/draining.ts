/**
 * Whether a process is about to stop. It still takes and answers everything, says at `/readyz` that
 * nobody should begin with it any more, and asks for a new connection with each answer: a balancer has
 * gone elsewhere before the listener closes, and no request is on its way to a connection that ends.
 */
export class Draining {
  #hasBegun = false

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  begin(): void {
    this.#hasBegun = true
  }
}
