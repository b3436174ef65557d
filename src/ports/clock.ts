/** Time as an argument: the only clock that code outside adapters may ask. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
