/**
 * SQL for an order's newest plan. The delivery side has a plan only once the plan was replaced under the order's
 * present key. Otherwise the order's own row has it: the drawn plan, or the plan as it was resealed.
 *
 * @param replaced SQL for the plan on the delivery side.
 * @param orderId SQL for the order's id in hex.
 */
export const newestPlan = (replaced: string, orderId: string): string =>
  `COALESCE(${replaced}, (SELECT orders.sealed_plan FROM orders WHERE orders.id = decode(${orderId}, 'hex')))`
