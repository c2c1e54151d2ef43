/**
 * Stores whether the process is about to stop. A process that is about to stop still accepts and answers all requests.
 * Its `/readyz` reports that it isn't ready, and it closes each connection after the next response. So a load balancer
 * chooses other replicas before the listener closes, and sends no request on a connection that is closing.
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
