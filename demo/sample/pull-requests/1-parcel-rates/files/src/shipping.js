// What it costs to send a parcel. See docs/spec.md, "Shipping".

const RATES = {
  standard: { first: 395, further: 80 },
  express: { first: 790, further: 160 },
};
const FREE_FROM = 6000;

/** Cents for a parcel of that many grams. */
export function shippingCost(grams, service = 'standard') {
  const { first, further } = RATES[service];
  const kilograms = Math.max(1, Math.round(grams / 1000));
  return first + (kilograms - 1) * further;
}

/** Cents that the customer pays for shipping an order of that value. */
export function shippingFor(orderValue, grams, service) {
  return orderValue >= FREE_FROM ? 0 : shippingCost(grams, service);
}
