// Gift wrapping. See docs/spec.md, "Gift wrapping".

const BASE = 250;
const FURTHER_ITEM = 50;

/** Cents for wrapping a parcel with that many items. */
export function giftWrapPrice(items) {
  return BASE + (items - 1) * FURTHER_ITEM;
}
