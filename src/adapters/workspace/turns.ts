/** Lets works on the same thing follow one another, in this process. */

export interface Turns {
  /** Calls `work` when every earlier work of the key has ended, well or not. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  isTaken(key: string): boolean;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: (key, work) => {
      const turn = (last.get(key) ?? Promise.resolve()).then(
        () => work(),
        () => work(),
      );
      last.set(key, turn);
      const forget = () => {
        if (last.get(key) === turn) last.delete(key);
      };
      turn.then(forget, forget);
      return turn;
    },
    isTaken: (key) => last.has(key),
  };
}
