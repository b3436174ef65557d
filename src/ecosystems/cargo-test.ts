/** cargo test, and cargo nextest. */
import { commandLine } from './command-line.ts';
import type { Ecosystem } from './ecosystem.ts';

export const cargoTest: Ecosystem = {
  id: 'cargo-test',
  plain: ['cargo', 'test'],
  detect(files, read) {
    if (!files.includes('Cargo.toml')) return null;
    const locked =
      /^source = /m.test(read('Cargo.lock') ?? '') ||
      /^\[(?:[\w.'"()-]+\.)?(?:dev-)?dependencies\]/m.test(read('Cargo.toml') ?? '');
    return {
      command: ['cargo', 'test', '--no-fail-fast'],
      setup: locked ? ['cargo', 'fetch'] : null,
      because: 'Cargo.toml is there',
    };
  },
  single(test, command) {
    const line = commandLine(command);
    if (line.program !== 'cargo') return null;
    const end = line.args.indexOf('--');
    const args = end < 0 ? line.args : line.args.slice(0, end);
    const name = test.name.trim();
    if (args.includes('nextest')) return [...line.head, ...args, '-E', `test(=${name.split(' ').at(-1) ?? name})`];
    if (!args.includes('test') && !args.includes('t')) return null;
    const doctest = / \(line \d+\)/.test(name);
    const exact = doctest ? name : (name.split(' ').at(-1) ?? name);
    return [...line.head, ...args, ...(doctest ? ['--doc'] : []), '--', exact, '--exact', '--nocapture'];
  },
  instrumentation: { env: { RUST_BACKTRACE: '1', CARGO_TERM_COLOR: 'never' }, flags: [] },
};
