/** What a value is, whatever language it was written in. */

/**
 * A value without the dress of the language it was written in. Decisions that matter for a verdict:
 * `None`, `null` and `nil` are one value and `undefined` another; an integer and a float of equal size are one number; a
 * tuple is not a list; a class instance keeps its name. Where two forms may or may not mean the same, `compareValues` says `unsure`.
 */
export type Value =
  | { readonly kind: 'null' }
  | { readonly kind: 'undefined' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bigint'; readonly digits: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: string }
  | { readonly kind: 'regex'; readonly source: string }
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Value[] }
  /** Keys that are written as names or strings are strings. `name` is the class, null for a plain object or dictionary. */
  | { readonly kind: 'object'; readonly name: string | null; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly kind: 'instance'; readonly name: string; readonly args: readonly Argument[] };

export interface Argument {
  readonly keyword: string | null;
  readonly value: Value;
}
