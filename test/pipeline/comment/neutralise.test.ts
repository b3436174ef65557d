import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { marked } from 'marked';
import { fenced, inlineCode, neutraliseLine, shorten } from '../../../src/pipeline/comment/neutralise.ts';

const visible = (text: string) => text.replaceAll('\u200b', '');

describe('text from a log inside a comment', () => {
  it.each([
    ['mentions nobody', 'thanks @octocat and @acme/core', /@[a-z]/],
    ['refers to no issue', 'see #12, acme/shop#7 and GH-3', /#\d|GH-\d/],
    ['links nowhere', 'at https://github.com/acme/shop/issues/1 or www.example.com', /https?:\/\/|www\.\w/],
    ['opens no tag', '<script>alert(1)</script> <img src=x> <!-- hidden', /<[a-z/!]/i],
    ['makes no link or image', '[click](javascript:alert(1)) ![x](http://x)', /\]\(/],
    ['spells no entity', '&#64;octocat &lt;b&gt;', /&[#a-z]/],
  ])('%s', (_, text, active) => {
    const harmless = neutraliseLine(text);
    expect(harmless).not.toMatch(active);
    expect(visible(harmless)).toBe(text);
  });

  it('stays one line and loses what would reorder or hide it', () => {
    expect(neutraliseLine('a\nb\r\nc\u202ed\u0000e')).toBe('a b cde');
  });

  it('renders to no element of its own, whatever it is', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('<', '>', '/', 'a', 'img', ' ', '[', ']', '(', ')', '!', '&', '@', '#', '1', '"', '='),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const html = marked.parse(`- evidence: ${neutraliseLine(text)}`, { async: false });
        expect(html).not.toMatch(/<(?:a|img|script|iframe|style)\b/i);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('a code block', () => {
  it('cannot be closed by its content', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '\n', 'a', '~', ' ') }), (text) => {
        const html = marked.parse(`${fenced(text)}\n\nafter`, { async: false });
        expect(html.match(/<pre>/g)).toHaveLength(1);
        expect(html).toMatch(/<p>after<\/p>\s*$/);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('is as short as its content allows', () => {
    expect(fenced('x', 'sh')).toBe('```sh\nx\n```');
  });
});

describe('inline code', () => {
  it.each([
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['two\nlines', '`two lines`'],
  ])('of %j is %s', (text, code) => {
    expect(inlineCode(text)).toBe(code);
  });
});

describe('shortening', () => {
  it('never leaves half a code point', () => {
    expect(shorten('ab😀cd', 4)).toBe('ab…');
    expect(shorten('short', 5)).toBe('short');
  });
});
