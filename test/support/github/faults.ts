/** Trouble on order: the next matching API requests are answered as GitHub answers on a bad day. */

export type FaultKind = 'secondary_limit' | 'rate_limited' | 'bad_gateway' | 'slow';

export interface FaultOrder {
  /** A pattern for `METHOD /path`, or the exact method and path (below `/api/v3`). Default: any request. */
  readonly match?: RegExp | { readonly method: string; readonly path: string };
  readonly kind: FaultKind;
  /** Default 1. */
  readonly times?: number;
  /** Seconds in `Retry-After`. Default 1. */
  readonly retryAfterSeconds?: number;
  /** Milliseconds before the true answer of a `slow` request. Default 1000. */
  readonly delayMs?: number;
}

export interface Faults {
  next(order: FaultOrder): void;
  /** The order that this request meets, counted down. */
  take(method: string, path: string): FaultOrder | null;
  clear(): void;
}

export function createFaults(): Faults {
  const orders: { order: FaultOrder; left: number }[] = [];
  return {
    next: (order) => {
      orders.push({ order, left: order.times ?? 1 });
    },
    take: (method, path) => {
      const found = orders.find(({ order, left }) => left > 0 && meets(order.match, method, path));
      if (!found) return null;
      found.left -= 1;
      return found.order;
    },
    clear: () => {
      orders.length = 0;
    },
  };
}

function meets(match: FaultOrder['match'], method: string, path: string): boolean {
  if (match === undefined) return true;
  if (match instanceof RegExp) return match.test(`${method} ${path}`);
  return match.method.toUpperCase() === method && match.path === path;
}
