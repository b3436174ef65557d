// Value added tax. See docs/spec.md, "Tax".

const PERCENT = { book: 7 };
const PERCENT_OTHERWISE = 19;

/** Cents of tax on a net amount. */
export function taxOf(net, kind) {
  const percent = PERCENT[kind] ?? PERCENT_OTHERWISE;
  return Math.round((net * percent) / 100);
}
