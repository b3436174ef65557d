/** The look: close enough to GitHub's that a comment can be judged as its readers will see it. */

export const STYLE = `
:root { color-scheme: light; --line: #d1d9e0; --mute: #59636e; --soft: #f6f8fa; --link: #0969da; }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.top { background: var(--soft); border-bottom: 1px solid var(--line); padding: 16px 32px 0; }
.top .name { font-size: 16px; } .top .name a:last-child { font-weight: 600; }
.tabs { display: flex; gap: 8px; margin-top: 12px; } .tabs a { color: inherit; padding: 8px 12px; }
.tabs a[aria-current] { font-weight: 600; border-bottom: 2px solid #fd8c73; }
main { max-width: 1012px; margin: 24px auto; padding: 0 24px; }
h1.title { font-size: 32px; font-weight: 400; line-height: 1.25; margin: 0 0 8px; } h1 .number { color: var(--mute); }
.state { color: #fff; border-radius: 2em; padding: 5px 12px; font-weight: 500; } .open { background: #1f883d; } .closed { background: #8250df; }
.meta { color: var(--mute); padding-bottom: 16px; border-bottom: 1px solid var(--line); margin-bottom: 24px; }
.branch { background: #ddf4ff; color: var(--link); border-radius: 6px; padding: 2px 5px; font: 12px ui-monospace, monospace; }
.entry { display: flex; gap: 16px; margin-bottom: 16px; } .entry > img { width: 40px; height: 40px; border-radius: 50%; }
.box { flex: 1; min-width: 0; border: 1px solid var(--line); border-radius: 6px; } .box > header { background: var(--soft); color: var(--mute);
  border-bottom: 1px solid var(--line); padding: 8px 16px; border-radius: 6px 6px 0 0; } .box > header strong { color: #1f2328; }
.badge, .label { border: 1px solid var(--line); border-radius: 2em; padding: 0 7px; font-size: 12px; font-weight: 500; margin-left: 4px; }
.label { background: #ededed; } .mention { font-weight: 600; color: inherit; }
.body { padding: 16px; overflow-wrap: break-word; } .body > :first-child { margin-top: 0; } .body > :last-child { margin-bottom: 0; } .body ul, .body ol { padding-left: 2em; }
.body h1, .body h2 { border-bottom: 1px solid #d1d9e0b3; padding-bottom: .3em; } .body h1 { font-size: 2em; } .body h2 { font-size: 1.5em; } .body h3 { font-size: 1.25em; }
.body h1, .body h2, .body h3, .body h4 { margin: 24px 0 16px; line-height: 1.25; } .body p, .body ul, .body ol, .body details { margin: 0 0 16px; }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; font: 85% ui-monospace, SFMono-Regular, Menlo, monospace; }
pre { background: var(--soft); border-radius: 6px; padding: 16px; overflow: auto; font: 12px/1.45 ui-monospace, SFMono-Regular, Menlo, monospace; }
pre code { background: none; padding: 0; font-size: 100%; } blockquote { border-left: .25em solid var(--line); color: var(--mute); margin: 0 0 16px; padding: 0 1em; }
.body table, .list { border-collapse: collapse; margin-bottom: 16px; } .body th, .body td { border: 1px solid var(--line); padding: 6px 13px; }
.body tr:nth-child(2n) { background: var(--soft); } summary { cursor: pointer; }
.checks li, .list li { display: flex; gap: 8px; padding: 8px 16px; border-top: 1px solid var(--line); list-style: none; align-items: center; }
.checks ul, .list { margin: 0; padding: 0; } .checks li:first-child, .list li:first-child { border-top: 0; } .grow { flex: 1; }
.success { color: #1a7f37; } .failure, .timed_out { color: #d1242f; } .neutral, .skipped, .cancelled, .pending { color: var(--mute); }
.reactions span { border: 1px solid var(--line); border-radius: 2em; padding: 2px 8px; margin: 0 4px 0 16px; display: inline-block; margin-bottom: 12px; }
.annotation { border: 1px solid var(--line); border-left: 4px solid #d1242f; border-radius: 6px; padding: 8px 16px; margin: 16px 0; color: inherit; }
.annotation pre { margin: 8px 0; } .checks > .annotation { margin: 8px 16px 16px; } .annotation.warning { border-left-color: #9a6700; } .annotation.notice { border-left-color: var(--link); }
table.code { border-collapse: collapse; width: 100%; font: 12px/20px ui-monospace, SFMono-Regular, Menlo, monospace; } table.code td { padding: 0 10px; white-space: pre-wrap; }
table.code td.n { width: 1%; text-align: right; color: var(--mute); user-select: none; white-space: nowrap; } tr.lit { background: #fff8c5; } .log { background: #0d1117; color: #e6edf3; }
.add { background: #dafbe1; } .del { background: #ffebe9; } .hunk { background: #ddf4ff; color: var(--mute); }
`;

/** Lights up the lines that the address names, `#L10` or `#L10-L12`, as GitHub does. */
export const LINES_SCRIPT = `
const show = () => {
  for (const row of document.querySelectorAll('tr.lit')) row.classList.remove('lit');
  const [, from, to = from] = /^#L(\\d+)(?:-L(\\d+))?$/.exec(location.hash) ?? [];
  for (let line = Number(from); line <= Number(to); line += 1) document.getElementById('L' + line)?.classList.add('lit');
  document.getElementById('L' + from)?.scrollIntoView({ block: 'center' });
};
addEventListener('hashchange', show);
show();
`;
