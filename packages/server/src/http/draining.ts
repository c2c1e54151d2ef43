/**
 * Shows if a process is about to stop. It still accepts and answers all requests, reports not ready at `/readyz`,
 * and closes the connection after each answer. A load balancer has therefore moved to other replicas before the
 * listener closes, and no request is sent to a connection that ends.
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
