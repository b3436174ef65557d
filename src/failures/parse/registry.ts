/** All formats. Adding one: write its file in `formats/`, list its object here. */
import type { DocumentFormat, LineFormat } from './format.ts';
import { jest } from './formats/jest.ts';

/** Read line by line from logs; several may read the same log. */
export const LINE_FORMATS: readonly LineFormat[] = [jest];

/** Whole report files; the first that recognises an input reads it alone. */
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [];
