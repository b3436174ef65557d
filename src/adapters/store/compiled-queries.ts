/** Queries of the hot paths, built and compiled once a shape: for small rows, building costs as much as running them. */
import type { Compilable, CompiledQuery } from 'kysely';

export class CompiledQueries {
  readonly #known = new Map<string, CompiledQuery>();

  /**
   * The compiled query of that shape with these parameters, in the order in which the query names them.
   *
   * @param shape a name, and whatever else changes the text of the query (the number of rows)
   * @param build called for the first one of a shape; the values in it are replaced
   */
  with<Row>(shape: string, parameters: readonly unknown[], build: () => Compilable<Row>): CompiledQuery<Row> {
    const known = this.#known.get(shape) ?? build().compile();
    this.#known.set(shape, known);
    if (known.parameters.length !== parameters.length) {
      throw new RangeError(`${shape} takes ${known.parameters.length} parameters, not ${parameters.length}.`);
    }
    return { ...known, parameters };
  }
}
