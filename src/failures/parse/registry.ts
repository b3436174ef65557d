/** All formats. Adding one: write its file in `formats/`, list its object here. */
import type { DocumentFormat, LineFormat } from './format.ts';
import { annotations } from './formats/annotations.ts';
import { cargoTest } from './formats/cargo-test.ts';
import { ctrf } from './formats/ctrf.ts';
import { gccClang } from './formats/gcc-clang.ts';
import { ginkgo } from './formats/ginkgo.ts';
import { goTest } from './formats/go-test.ts';
import { goTestJson } from './formats/go-test-json.ts';
import { jest } from './formats/jest.ts';
import { jobOutcome } from './formats/job-outcome.ts';
import { junitXml } from './formats/junit-xml.ts';
import { mocha } from './formats/mocha.ts';
import { nodeTest } from './formats/node-test.ts';
import { playwright } from './formats/playwright.ts';
import { prettier } from './formats/prettier.ts';
import { pytest } from './formats/pytest.ts';
import { pythonTraceback } from './formats/python-traceback.ts';
import { eslint, tsd } from './formats/row-report.ts';
import { rustc } from './formats/rustc.ts';
import { tap } from './formats/tap.ts';
import { tsc } from './formats/tsc.ts';
import { unittest } from './formats/unittest.ts';
import { vitest } from './formats/vitest.ts';

/** Read line by line from logs; several may read the same log. */
export const LINE_FORMATS: readonly LineFormat[] = [
  jest,
  vitest,
  mocha,
  nodeTest,
  tap,
  playwright,
  pytest,
  unittest,
  pythonTraceback,
  goTest,
  goTestJson,
  ginkgo,
  cargoTest,
  rustc,
  gccClang,
  tsc,
  tsd,
  eslint,
  prettier,
  jobOutcome,
];

/** Whole report files; the first that recognises an input reads it alone. */
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [junitXml, ctrf, annotations];
