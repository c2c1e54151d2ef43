/**
 * SQL for an order's newest plan. If the plan was replaced under the order's present key, the newest plan is on the
 * delivery side. Otherwise it is in the order's own row, which has the plan that was drawn at the deposit, or the
 * resealed plan.
 *
 * @param replaced SQL for the plan on the delivery side.
 * @param orderId SQL for the order's id in hex.
 */
export const newestPlan = (replaced: string, orderId: string): string =>
  `COALESCE(${replaced}, (SELECT orders.sealed_plan FROM orders WHERE orders.id = decode(${orderId}, 'hex')))`
