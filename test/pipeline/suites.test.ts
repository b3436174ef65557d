import { describe, expect, it } from '@jest/globals';
import { defaultRepositoryConfig, parseRepositoryConfig } from '../../src/config/repository.ts';
import type { FailurePacket } from '../../src/failures/packet.ts';
import { singleCommand, suiteOf, suitesOf } from '../../src/pipeline/suites.ts';

const failing = (runner: string, test: string, test_file: string | null = null) =>
  ({ runner, first_failing_test: test, test_file, primary_file: test_file }) as FailurePacket;

const reading = (texts: Record<string, string>) => (path: string) => texts[path] ?? null;

describe('the suites of a repository', () => {
  it('are the configured ones, with package scripts followed to the real runner', () => {
    const config = parseRepositoryConfig('tests:\n  - name: unit\n    command: npm test\n', 'test');
    const read = reading({ 'package.json': '{"scripts":{"test":"node --test"}}' });
    const [suite] = suitesOf(config, ['package.json', 'a.test.js'], read);
    expect(suite).toMatchObject({ name: 'unit', command: ['npm', 'test'], runner: ['node', '--test'] });
    expect(suite?.ecosystem?.id).toBe('node-test');
  });

  it('are detected when nothing is configured', () => {
    const texts = { 'tests/test_a.py': 'def test_a():\n    assert True\n' };
    const [suite] = suitesOf(defaultRepositoryConfig(), Object.keys(texts), reading(texts));
    expect(suite?.ecosystem?.id).toBe('pytest');
  });

  it('may be none', () => {
    expect(suitesOf(defaultRepositoryConfig(), ['README.md'], reading({}))).toEqual([]);
  });
});

describe('the suite of a failing test', () => {
  const texts = { 'test_a.py': 'import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self): pass\n' };
  const detected = suitesOf(defaultRepositoryConfig(), Object.keys(texts), reading(texts));

  it('is the detected one when its runner is the same', () => {
    expect(detected[0]?.ecosystem?.id).toBe('unittest');
    expect(suiteOf(detected, failing('unittest', 'test_a (test_a.A.test_a)'))).toBe(detected[0]);
  });

  it('is that of the runner that reported it, when another was merely detected', () => {
    const packet = failing('pytest', 'test_a.py::A::test_a', 'test_a.py');
    const suite = suiteOf(detected, packet);
    expect(suite?.ecosystem?.id).toBe('pytest');
    expect(suite && singleCommand(suite, packet)).toEqual(['python3', '-m', 'pytest', 'test_a.py::A::test_a']);
  });

  it('is the configured one whatever was detected: the configured command decides', () => {
    const config = parseRepositoryConfig(
      'tests:\n  - name: own\n    command: ./run\n    single: ./run {file} {test}\n',
      'test',
    );
    const suites = suitesOf(config, [], reading({}));
    const packet = failing('junit-xml', 'adds two', 'test/a.js');
    const suite = suiteOf(suites, packet);
    expect(suite?.name).toBe('own');
    expect(suite && singleCommand(suite, packet)).toEqual(['./run', 'test/a.js', 'adds two']);
  });

  it('is none when nothing runs such tests', () => {
    expect(suiteOf([], failing('junit-xml', 'a'))).toBeNull();
  });
});
