// What it costs to send a parcel. See docs/spec.md, "Shipping".

const FIRST_KILOGRAM = 395;
const FURTHER_KILOGRAM = 80;
const FREE_FROM = 6000;

/** Cents for a parcel of that many grams. */
export function shippingCost(grams, service = 'standard') {
  const kilograms = Math.max(1, Math.ceil(grams / 1000));
  const standard = FIRST_KILOGRAM + (kilograms - 1) * FURTHER_KILOGRAM;
  return service === 'express' ? standard * 2 : standard;
}

/** Cents that the customer pays for shipping an order of that value. */
export function shippingFor(orderValue, grams, service) {
  return orderValue >= FREE_FROM ? 0 : shippingCost(grams, service);
}
