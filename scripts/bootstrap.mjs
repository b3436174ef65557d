// Prepares a clone so that the command after it works: Node's version, npm packages, system programs. No dependencies.
//
//   node scripts/bootstrap.mjs [--for demo|test] [--only npm|system]
//
// This file must parse on very old versions of Node, so that they get a sentence and not a syntax error.
const NEEDED = [20, 19];
const have = process.versions.node.split('.').map(Number);

if (have[0] < NEEDED[0] || (have[0] === NEEDED[0] && have[1] < NEEDED[1])) {
  console.error(
    `Inquest needs Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}. Get one from https://nodejs.org, or run: nvm install 24`,
  );
  process.exit(1);
}

import('./bootstrap/prepare.mjs')
  .then(({ prepare }) => prepare(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  });
